import type { Reason } from '../schema/reasons.ts';

/** What each reason means to the person who reads it, and what they can do now. */
export const REASON_TEXT: Record<Reason, { label: string; next: string }> = {
  completed: { label: 'Completed', next: 'Nothing to do: the loop reached its report.' },
  blocked: { label: 'Blocked', next: 'Read the analysis in the task directory, then start again.' },
  conflict: { label: 'Merge conflict', next: 'Resolve the conflict, then start the loop again.' },
  cancelled: {
    label: 'Task cancelled',
    next: 'The task says it is cancelled; start it again if not.',
  },
  user_stop: { label: 'Stopped by a person', next: 'Start again when you like.' },
  timeout: { label: 'Time limit', next: 'Start again with more minutes.' },
  max_iterations: { label: 'Iteration limit', next: 'Start again with more iterations.' },
  stall_limit: { label: 'Stalled too often', next: 'Look at the last screen, then start again.' },
  quota: { label: 'Quota', next: 'It goes on by itself after the reset.' },
  stalled: {
    label: 'Stalled',
    next: 'Open the terminal: nothing moves, and nothing there can be answered by itself.',
  },
  hung_stream: {
    label: 'Hung stream',
    next: 'The agent waits for words that do not come; it tries again by itself.',
  },
  retrying: { label: 'Request failed', next: 'The agent tries again by itself.' },
  api_error: { label: 'Request given up', next: 'The agent is told to go on.' },
  agent_error: {
    label: 'Agent error',
    next: 'Open the terminal: the error is not one that passes.',
  },
  kill_withheld: {
    label: 'Not ended',
    next: 'Open the terminal: the agent goes on, and too little proves that it is ours to end.',
  },
  kill_failed: {
    label: 'Could not be ended',
    next: 'End the processes named here, then remove the loop.',
  },
  crashed: { label: 'Agent crashed', next: 'It is restarted by itself.' },
  restart_limit: {
    label: 'Crashed too often',
    next: 'Look at the last screen, then start again or remove the loop.',
  },
  user_closed: { label: 'Terminal closed', next: 'Start again in a session.' },
  terminal_lost: { label: 'Terminal lost', next: 'It is opened again by itself.' },
  dir_gone: { label: 'Task directory gone', next: 'Restore the directory, then start again.' },
  session_unknown: {
    label: 'Session unknown',
    next: 'The loop came with an older database: remove it or start it again.',
  },
  agent_not_started: {
    label: 'Agent did not start',
    next: 'Open the terminal: is the agent installed and on the PATH of its shell?',
  },
  start_interrupted: { label: 'Start interrupted', next: 'Start the loop again.' },
  corrupt_record: {
    label: 'Record unreadable',
    next: 'Remove the loop, or start it again in its place.',
  },
  restored: {
    label: 'From a backup',
    next: 'It may have ended since the backup: start it again if it is still wanted.',
  },
  command_missing: {
    label: 'Loop command missing',
    next: 'Open the terminal: install the loop command of the agent.',
  },
  login_needed: { label: 'Login needed', next: 'Open the terminal: log the agent in.' },
  trust_needed: { label: 'Trust needed', next: 'Open the terminal: answer the trust dialog.' },
  setup_needed: {
    label: 'First run',
    next: 'Open the terminal: take the agent through its first-run screens.',
  },
  settings_warning: {
    label: 'Settings warning',
    next: 'Open the terminal: the agent does not accept its settings.',
  },
  bypass_warning: {
    label: 'Bypass warning',
    next: 'Open the terminal: say whether the agent may run without asking.',
  },
  mcp_approval: {
    label: 'Server approval',
    next: 'Open the terminal: say whether the agent may use a new tool server.',
  },
  dialog_open: { label: 'Dialog open', next: 'Open the terminal: answer the dialog.' },
  question: { label: 'Question', next: 'Open the terminal: answer the question.' },
  permission: { label: 'Permission', next: 'Open the terminal: allow or deny it.' },
  unknown_screen: { label: 'Unknown screen', next: 'Open the terminal: look what it shows.' },
  criteria_met: { label: 'Criteria met', next: 'Read the diff, then merge the branch.' },
  claimed_done: {
    label: 'Said to be done',
    next: 'Read the diff and what the host saw, then merge the branch.',
  },
  max_tokens: { label: 'Token limit', next: 'Retry with more tokens.' },
  max_cost: { label: 'Cost limit', next: 'Retry with more money.' },
  tests_failed: { label: 'Tests failed', next: 'Read their output, then recover the task.' },
  gate_failed: { label: 'Gate failed', next: 'Read its output, then recover the task.' },
  concurrency: { label: 'In the queue', next: 'It begins when another task has ended.' },
  dependency: { label: 'Waits for a task', next: 'It begins when that task is completed.' },
  overloaded: { label: 'Model overloaded', next: 'It is tried again by itself.' },
  interrupted: {
    label: 'Interrupted',
    next: 'The daemon or its machine went down in the middle of a turn: resume the task.',
  },
  session_lost: {
    label: 'Conversation lost',
    next: 'The agent does not know its conversation any more: recover the task.',
  },
  client_failed: { label: 'Agent failed', next: 'Read its error, then recover the task.' },
  worktree_failed: { label: 'No worktree', next: 'Read what git says, then recover the task.' },
  repeats_itself: {
    label: 'Goes in circles',
    next: 'The agent gives the same answer again and again: tell it what to do.',
  },
};
