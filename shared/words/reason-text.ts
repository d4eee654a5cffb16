import { entryFor } from './entry-for.ts';
import type { Reason } from '../schema/reasons.ts';

/** What each reason means, and what a person can do. */
export const REASON_TEXT: Record<Reason, { label: string; next: string }> = {
  completed: { label: 'Completed', next: 'Nothing to do: the loop reached its report.' },
  checking: {
    label: 'Checking',
    next: 'The agent reported the end. The loop ends when the checks of the task have ended.',
  },
  blocked: {
    label: 'Blocked',
    next: 'Read the analysis in the task directory, then start the loop again.',
  },
  conflict: { label: 'Merge conflict', next: 'Resolve the conflict, then start the loop again.' },
  cancelled: {
    label: 'Task cancelled',
    next: 'The task is marked as cancelled. Start it again if that is wrong.',
  },
  user_stop: { label: 'Stopped by a person', next: 'Start it again when you are ready.' },
  timeout: { label: 'Time limit', next: 'Raise the time limit and start again.' },
  max_iterations: { label: 'Iteration limit', next: 'Raise the iteration limit and start again.' },
  stall_limit: { label: 'Stalled too often', next: 'Check the last screen, then start again.' },
  budget: {
    label: 'Budget used up',
    next: 'Continues once the budget is raised, after midnight UTC for a daily one, or once other work under it is done.',
  },
  reserve: {
    label: 'Kept for people',
    next: 'Continues when less of the window is kept, or after its reset. Change it on the page Usage, or with: loopwatch reserve set.',
  },
  quota: { label: 'Quota', next: 'Resumes automatically after the reset.' },
  stalled: {
    label: 'Stalled',
    next: 'Open the terminal: no progress, and no prompt Loopwatch can safely answer.',
  },
  hung_stream: {
    label: 'Hung stream',
    next: 'The model stream hung. The agent retries automatically.',
  },
  retrying: { label: 'Request failed', next: 'The agent retries automatically.' },
  api_error: { label: 'API error', next: 'Loopwatch nudges the agent to continue.' },
  agent_error: {
    label: 'Agent error',
    next: 'Open the terminal: this error will not clear without you.',
  },
  kill_withheld: {
    label: 'Not killed',
    next: 'Open the terminal: the agent still runs, and Loopwatch cannot confirm that it owns it.',
  },
  kill_failed: {
    label: 'Kill failed',
    next: 'End the processes listed here, then remove the loop.',
  },
  crashed: { label: 'Agent crashed', next: 'Restarts automatically.' },
  restart_limit: {
    label: 'Crashed too often',
    next: 'Check the last screen, then start again or remove the loop.',
  },
  user_closed: { label: 'Terminal closed', next: 'Start again in a session.' },
  terminal_lost: { label: 'Terminal lost', next: 'Reopens automatically.' },
  dir_gone: { label: 'Task directory missing', next: 'Restore the directory, then start again.' },
  session_unknown: {
    label: 'Session unknown',
    next: 'Its session could not be opened again; the error says why. Open it, then restart the loop.',
  },
  agent_not_started: {
    label: 'Agent did not start',
    next: 'Open the terminal and start the agent: is it installed and on the PATH of its shell?',
  },
  start_interrupted: { label: 'Start interrupted', next: 'Start the loop again.' },
  corrupt_record: {
    label: 'Record unreadable',
    next: 'Remove the loop or start it again.',
  },
  restored: {
    label: 'From a backup',
    next: 'It may have ended since the backup. Start it again if you still need it.',
  },
  command_missing: {
    label: 'Loop command missing',
    next: 'Open the terminal: install the agent’s loop command.',
  },
  login_needed: { label: 'Login needed', next: 'Open the terminal: log the agent in.' },
  trust_needed: { label: 'Trust needed', next: 'Open the terminal: answer the trust dialog.' },
  setup_needed: {
    label: 'First run',
    next: 'Open the terminal: complete the agent’s first-run screens.',
  },
  settings_warning: {
    label: 'Settings warning',
    next: 'Open the terminal: the agent rejects its settings.',
  },
  bypass_warning: {
    label: 'Bypass warning',
    next: 'Open the terminal: choose whether the agent may run without asking.',
  },
  mcp_approval: {
    label: 'Server approval',
    next: 'Open the terminal: choose whether the agent may use a new tool server.',
  },
  dialog_open: { label: 'Dialog open', next: 'Open the terminal: answer the dialog.' },
  question: { label: 'Question', next: 'Open the terminal: answer the question.' },
  permission: { label: 'Permission', next: 'Allow or deny it, in the inbox or in the terminal.' },
  alert_undelivered: {
    label: 'Alert not delivered',
    next: 'Fix the target on the Alerts page, turn the alert on if it is off, then retry the delivery there.',
  },
  work_left: {
    label: 'Idle with work left',
    next: 'Continue it in its terminal: a step of its own list is open.',
  },
  unknown_screen: { label: 'Unknown screen', next: 'Open the terminal: check what it shows.' },
  untested_client: {
    label: 'Client newer than tested',
    next: 'Check that its state is read right, then trust the version: on the session’s page, or with: loopwatch client trust VERSION.',
  },
  criteria_met: {
    label: 'Criteria met',
    next: 'Review the diff, commit what is left in the worktree, then merge the branch.',
  },
  claimed_done: {
    label: 'Claimed done',
    next: 'Review the diff and the host’s results, commit what is left in the worktree, then merge the branch.',
  },
  max_tokens: { label: 'Token limit', next: 'Raise the token limit and retry.' },
  max_cost: { label: 'Cost limit', next: 'Raise the cost limit and retry.' },
  tests_failed: { label: 'Tests failed', next: 'Read their output, then recover the task.' },
  gate_failed: { label: 'Gate failed', next: 'Read its output, then recover the task.' },
  concurrency: { label: 'Queued', next: 'Starts when another task ends.' },
  dependency: { label: 'Waiting for a task', next: 'Starts when that task is completed.' },
  claimed: {
    label: 'Claimed by another host',
    next: 'Starts when the work on this branch there is done. Is that host dead? An admin releases its claim: loopwatch fleet claims.',
  },
  fleet_unreachable: {
    label: 'No connection to the fleet',
    next: 'Starts when the fleet can be asked whether another host works on this branch: loopwatch fleet doctor.',
  },
  claim_lost: {
    label: 'Claim lost',
    next: 'An admin released the claim of this host on the branch. Compare with the remote branch, then resume the task: it waits while another host works there.',
  },
  overloaded: { label: 'Model overloaded', next: 'Retries automatically.' },
  interrupted: {
    label: 'Interrupted',
    next: 'The daemon or its machine went down during a turn: resume the task.',
  },
  session_lost: {
    label: 'Conversation lost',
    next: 'The agent no longer knows this conversation: recover the task.',
  },
  client_failed: { label: 'Agent failed', next: 'Read its error, then recover the task.' },
  worktree_failed: { label: 'No worktree', next: 'Read the git error, then recover the task.' },
  repeats_itself: {
    label: 'Repeating itself',
    next: 'The agent keeps giving the same answer: send it instructions.',
  },
  no_progress: {
    label: 'No progress',
    next: 'Nothing changed lately: read what it did, then send it instructions or start it again.',
  },
  plan_review: { label: 'Plan review', next: 'Read the plan, edit it if needed, then accept it.' },
  fix_limit: {
    label: 'Fix limit',
    next: 'Read the last failing check, resume the run for more rounds, then send it a hint.',
  },
  stuck: {
    label: 'Stuck',
    next: 'The same failure came back, or nothing changed. Read it, then resume with a hint.',
  },
  no_verdict: {
    label: 'No verdict',
    next: 'The reviewer gave no verdict and no check proves the work. Read it, then resume.',
  },
  reported_done: {
    label: 'Agent reports done',
    next: 'Check the result. Send the agent a prompt to continue, or stop respawn.',
  },
  reported_blocked: {
    label: 'Agent reports blocked',
    next: 'Read its last message and remove the obstacle, then send the agent a prompt.',
  },
};

/** Of a task or a run that is held in the queue although a slot is free. */
export const HELD_NEXT =
  'Starts once its last process has ended, another one has found the quota available, or other work under its budget is done.';

export const UNKNOWN_NEXT = 'This reason comes from a newer version of Loopwatch. Update this one.';

/** A newer host may have a reason that this version does not know: it is named by its code. */
export function reasonText(reason: Reason): { label: string; next: string } {
  return entryFor(REASON_TEXT, reason, (label) => ({ label, next: UNKNOWN_NEXT }));
}

/** These end at a time of their own, and say what else ends them. */
const SAYS_WHEN: readonly Reason[] = ['quota', 'reserve', 'budget'];

/** Of a task or a run whose wait ends at a known time. */
export function timedNextStep(reason: Reason): string {
  return SAYS_WHEN.includes(reason) ? reasonText(reason).next : 'Retries automatically.';
}
