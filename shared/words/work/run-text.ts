import type { Reason } from '../../schema/reasons.ts';
import type { Run } from '../../schema/runs/run.ts';
import type { RunPhase, RunStage, RunStatus } from '../../schema/runs/run-phase.ts';
import { entryFor } from '../entry-for.ts';
import { reasonText } from '../reason-text.ts';
import type { Tone } from '../tone.ts';

export const PHASE_TEXT: Record<RunPhase, { label: string; doing: string }> = {
  plan: { label: 'Plan', doing: 'Planning' },
  execute: { label: 'Execute', doing: 'Executing the plan' },
  review: { label: 'Review', doing: 'Reviewing' },
  fix: { label: 'Fix', doing: 'Fixing' },
  complete: { label: 'Complete', doing: 'Complete' },
};

const RUN_STATUS_TEXT: Record<RunStatus, { label: string; tone: Tone }> = {
  queued: { label: 'Queued', tone: 'idle' },
  running: { label: 'Running', tone: 'work' },
  waiting: { label: 'Waiting', tone: 'wait' },
  stopping: { label: 'Stopping', tone: 'wait' },
  stopped: { label: 'Stopped', tone: 'idle' },
  failed: { label: 'Failed', tone: 'fail' },
  done: { label: 'Done', tone: 'good' },
};

export function runStatusText(status: RunStatus): { label: string; tone: Tone } {
  return entryFor(RUN_STATUS_TEXT, status, (label) => ({ label, tone: 'idle' }));
}

/** Replaces the general texts that mention a terminal, a loop or a task. */
const FOR_RUNS: Partial<Record<Reason, string>> = {
  completed: 'Read the report, then merge the branch.',
  question: 'Send the run the answer.',
  permission: 'Send the run what it may do.',
  login_needed:
    'Log the agent in on the daemon’s machine, then send the run an input, or resume it if it has ended.',
  timeout: 'Read the report, then start a run with a higher time limit or resume this one.',
  max_tokens: 'Read the report, then resume the run with a higher token limit.',
  max_cost: 'Read the report, then resume the run with a higher cost limit.',
  api_error: 'Read the error, then resume the run.',
  agent_not_started:
    'Install the agent on the daemon’s machine or correct LOOPWATCH_CLAUDE (check with: loopwatch doctor), then resume the run.',
  agent_error: 'Read the error and remove its cause, then send the run an input.',
  overloaded: 'Resume the run once the model answers again.',
  session_lost: 'The agent no longer knows this conversation: resume the run.',
  worktree_failed: 'Read the git error, then resume the run.',
  client_failed: 'Read the error, then resume the run.',
  user_stop: 'Resume the run when you are ready.',
  interrupted: 'Resume the run when you are ready.',
  claim_lost:
    'An admin released the claim of this host on the branch. Compare with the remote branch, then resume the run: it waits while another host works there.',
  restored: 'The database came from a backup. Resume the run if it should continue.',
};

export function runNextStep(reason: Reason): string {
  return FOR_RUNS[reason] ?? reasonText(reason).next;
}

/** What to do with a run that is done. */
export function doneNextStep({ merged_into, branch }: Pick<Run, 'merged_into' | 'branch'>): string {
  if (merged_into !== null) return `Its work is merged into ${merged_into}.`;
  return branch === null ? 'Read the report and review the changes.' : runNextStep('completed');
}

/** What a run does now, in a few words. */
export function runDoing(phase: RunPhase, stage: RunStage): string {
  switch (stage) {
    case 'queued':
      return 'Waiting for a slot';
    case 'preparing':
      return 'Preparing the worktree';
    case 'checking':
      return 'Running the checks';
    case 'merging':
      return 'Merging, then running the checks on the result';
    case 'ending':
      return 'Ending the agent';
    case 'talking':
    case 'waiting':
    case 'over':
      return PHASE_TEXT[phase].doing;
  }
}
