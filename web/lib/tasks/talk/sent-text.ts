/** What becomes of words that were said to a task. Pure. */
import type { Mark, Tone } from '$lib/ui/tone.ts';
import type { SentTaskInput, TaskInputState } from '$shared/schema/tasks/task-input.ts';

export const INPUT_LOOK: Record<
  TaskInputState,
  { label: string; meaning: string; tone: Tone; mark: Mark }
> = {
  queued: {
    label: 'Queued',
    tone: 'wait',
    mark: 'clock',
    meaning: 'Said before anything automatic, as soon as the agent listens.',
  },
  sending: {
    label: 'Sending',
    tone: 'work',
    mark: 'half',
    meaning: 'Handed to the agent; it has not said yet that it heard it.',
  },
  delivered: { label: 'Delivered', meaning: 'The agent heard it.', tone: 'good', mark: 'tick' },
  unknown: {
    label: 'Not known',
    tone: 'wait',
    mark: 'dash',
    meaning:
      'The daemon went down while it was said. It is never said twice by itself: look whether the agent heard it, then say it again if not.',
  },
  cancelled: { label: 'Taken back', meaning: 'It was not said.', tone: 'idle', mark: 'cross' },
};

/** Takes the daemon's answer; gives what happens with the words now. */
export function sentText(sent: SentTaskInput): string {
  if (sent.blocked_reason === 'duplicate') return 'The same words wait already: not queued again.';
  switch (sent.processing_type) {
    case 'REAL_TIME_INTERRUPT':
      return 'Sent: the turn is ended so that the agent hears it now.';
    case 'EXECUTOR_RESTART':
      return 'Sent: the task goes on with it.';
    case 'QUEUED_FOR_EXECUTOR':
      return sent.guaranteed_processing
        ? 'Queued: it is said when the turn of the agent ends.'
        : 'Queued: it is said when the task runs again.';
  }
}
