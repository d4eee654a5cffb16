import type { Need } from '../../attention/attention-for.ts';
import type { TaskRecord } from '../stores/task-record.ts';

const TITLES: Partial<Record<NonNullable<TaskRecord['state']['reason']>, string>> = {
  permission: 'The agent needs permission',
  question: 'The agent asks a question',
  repeats_itself: 'The agent is repeating itself',
  no_progress: 'The task makes no progress',
  login_needed: 'The agent needs a login',
  budget: 'The budget is used up',
  reserve: 'What is left of the window is kept for people',
  agent_error: 'The agent has an error that won’t resolve on its own',
  interrupted: 'Its turn was cut off while the daemon was not running',
};

/** What a task needs a person for, or null. */
export function taskNeed({ state }: Pick<TaskRecord, 'state'>): Need | null {
  const { status, reason, wait, error } = state;
  if (reason === null || state.stage === 'queued') return null;
  if (status === 'PAUSED') {
    // A reset or a pause ends on its own.
    if (state.dueMs !== null) return null;
    const detail = wait?.evidence.flatMap(({ lines }) => lines).join('\n') ?? null;
    return { reason, title: TITLES[reason] ?? 'The task is waiting for you', detail };
  }
  if (status === 'FAILED') return { reason, title: 'The task failed', detail: error };
  if (status === 'EXHAUSTED') return { reason, title: 'The task reached a limit', detail: null };
  if (status === 'STOPPED' && reason === 'interrupted') {
    return { reason, title: TITLES.interrupted ?? '', detail: error };
  }
  if (status === 'STOPPED' && reason === 'claim_lost') {
    return { reason, title: 'The claim on its branch was released: stopped', detail: error };
  }
  return null;
}
