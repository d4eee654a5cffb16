/** What the state of a task means to people: met criteria, a person it needs, what it does now. */
import type { Reason } from '../../shared/schema/reasons.ts';
import type { TaskRecord } from './stores/task-record.ts';

const WAITS_FOR_PERSON: readonly Reason[] = [
  'question',
  'permission',
  'repeats_itself',
  'no_progress',
  'login_needed',
  'agent_error',
];

/** A wait for that reason ends only with a person. */
export function isForAPerson(reason: Reason): boolean {
  return WAITS_FOR_PERSON.includes(reason);
}

export function waitsForPerson({ state }: TaskRecord): boolean {
  return state.stage === 'waiting' && state.reason !== null && isForAPerson(state.reason);
}

/** Whether its criteria are met; its tests do not count here. */
export function outcomeOf({ state }: TaskRecord): 'FINISHED' | null {
  const isMet = state.completion?.claimed_by === 'criteria' || state.claim?.by === 'criteria';
  return isMet && ['TESTING', 'COMPLETED', 'FAILED'].includes(state.status) ? 'FINISHED' : null;
}

/** In a sentence; null where its status and outcome say everything. */
export function taskProgress(task: TaskRecord): string | null {
  const { state } = task;
  switch (state.status) {
    case 'PENDING':
      return state.stage === 'queued' ? 'Queued.' : 'Not started.';
    case 'RUNNING':
      return runningOf(state);
    case 'PAUSED':
      if (state.reason === 'budget') return 'Its budget is used up.';
      if (state.reason === 'reserve')
        return 'Waits; the rest of the plan’s window is kept for people.';
      return waitsForPerson(task) ? 'Needs attention.' : 'Waiting; resumes automatically.';
    case 'STOPPED':
      return 'Stopped; resume to continue.';
    case 'TESTING':
      return 'Running its tests on the host.';
    case 'COMPLETED':
      return outcomeOf(task) === null ? 'Completed.' : null;
    case 'FAILED':
      return 'Failed.';
    case 'EXHAUSTED':
      return null;
  }
}

function runningOf({ stage, iterations }: TaskRecord['state']): string {
  switch (stage) {
    case 'preparing':
      // Its worktree and setup, or what a new conversation has to know.
      return `Preparing its ${ordinal(iterations + 1)} turn.`;
    case 'judging':
      return 'Checking the last answer against the criteria.';
    case 'measuring':
      return 'Reading what its last turn changed.';
    case 'none':
    case 'queued':
    case 'talking':
    case 'testing':
    case 'waiting':
    case 'ending':
      return `The agent is working on its ${ordinal(iterations + 1)} turn.`;
  }
}

function ordinal(count: number): string {
  const endings: Record<number, string> = { 1: 'st', 2: 'nd', 3: 'rd' };
  const isTeen = count % 100 > 10 && count % 100 < 14;
  return `${count}${isTeen ? 'th' : (endings[count % 10] ?? 'th')}`;
}
