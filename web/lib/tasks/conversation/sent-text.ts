/** What happens to input sent to a task. Pure. */
import type { SentTaskInput } from '$shared/schema/tasks/task-input.ts';

export function sentText(sent: SentTaskInput): string {
  if (sent.blocked_reason === 'duplicate')
    return 'The same input is already queued: not queued again.';
  switch (sent.processing_type) {
    case 'REAL_TIME_INTERRUPT':
      return 'Sent: the current turn is interrupted so the agent gets it now.';
    case 'EXECUTOR_RESTART':
      return 'Sent: the task continues with it.';
    case 'QUEUED_FOR_EXECUTOR':
      return sent.guaranteed_processing
        ? 'Queued: sent when the agent’s turn ends.'
        : 'Queued: sent when the task runs again.';
  }
}
