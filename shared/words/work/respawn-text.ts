/** Words for respawn: its states, what moves it and why it waits. On page, in shell and in docs. */
import type {
  CycleOutcome,
  IdleLayerName,
  RespawnAction,
  RespawnBlock,
  RespawnGuard,
  RespawnStateName,
  RespawnStep,
  RespawnTrigger,
} from '../../rules/respawn/respawn-names.ts';
import type { RespawnTimer } from '../../rules/respawn/respawn-timers.ts';
import { entryFor } from '../entry-for.ts';
import { UNKNOWN_NEXT } from '../reason-text.ts';
import type { Tone } from '../tone.ts';

export const RESPAWN_STATE_TEXT: Record<RespawnStateName, { label: string; tone: Tone }> = {
  stopped: { label: 'Stopped', tone: 'idle' },
  watching: { label: 'Watching', tone: 'idle' },
  confirming_idle: { label: 'Confirming idle', tone: 'wait' },
  ai_checking: { label: 'Idle check', tone: 'wait' },
  sending_update: { label: 'Sending update', tone: 'work' },
  waiting_update: { label: 'Updating', tone: 'work' },
  sending_clear: { label: 'Sending clear', tone: 'work' },
  waiting_clear: { label: 'Clearing', tone: 'work' },
  sending_init: { label: 'Sending init', tone: 'work' },
  waiting_init: { label: 'Initializing', tone: 'work' },
  monitoring_init: { label: 'Watching for work', tone: 'wait' },
  sending_kickstart: { label: 'Sending kickstart', tone: 'work' },
  waiting_kickstart: { label: 'Kickstarting', tone: 'work' },
};

export function respawnStateText(state: RespawnStateName): { label: string; tone: Tone } {
  return entryFor(RESPAWN_STATE_TEXT, state, (label) => ({ label, tone: 'idle' }));
}

export const RESPAWN_STEP_TEXT: Record<RespawnStep, string> = {
  update: 'Update',
  clear: 'Clear',
  init: 'Init',
  kickstart: 'Kickstart',
};

/** Completes "when …". */
export const RESPAWN_TRIGGER_TEXT: Record<RespawnTrigger, string> = {
  start: 'a person starts it',
  stop: 'a person, the configuration or the end of a timed run stops it',
  busy: 'work or a question shows',
  output: 'the terminal shows new text, not a redraw',
  completed: 'a line says that the turn has ended',
  reported_idle: 'the client reports that the turn has ended (Stop hook or status record)',
  idle_hook: 'the client reports that it has been idle for a while',
  prompt: 'the prompt is drawn',
  agent_gone: 'the agent exits or leaves the foreground',
  quiet: 'there is no output, no work and no new token for a while',
  silent: 'there is no output at all for longer',
  confirmed: 'the confirmation time has passed',
  verdict_idle: 'the idle check says IDLE',
  verdict_working: 'the idle check says WORKING',
  check_failed: 'the idle check fails or times out',
  check_dropped: 'the idle check is turned off or paused',
  plan_due: 'the screen has been still long enough to accept a plan',
  step_due: 'the pause before the step has ended',
  delivered: 'the text was delivered',
  undelivered: 'the text was not delivered, or it is not known',
  step_confirmed: 'the silence after the step is long enough',
  clear_fallback: 'nothing showed the end of `clear`',
  no_work: '`init` led to no work',
  stuck: 'it has been in this state for too long',
};

/** Completes "if …". */
export const RESPAWN_GUARD_TEXT: Record<RespawnGuard, string> = {
  enabled: 'it is enabled',
  blocked: 'something prevents a cycle',
  unsettled: 'the layers together weigh too little',
  needs_check: 'the idle check is on, ready, and no stronger layer knows',
  check_cooling: 'the idle check is on and pauses',
  needs_plan_check: 'a plan shows and the plan check is on',
  may_accept: 'a plan shows and every gate is open',
  plan_open: 'a plan is open and may be accepted',
  reported: 'the agent reports that it is done or blocked',
  submitted: 'the text is on its way',
  no_text: 'the step has no text',
  held: 'the agent works, asks, is limited or cannot be seen',
  sends_clear: '`clear` is on and not skipped',
  sends_init: '`init` is on',
  has_kickstart: 'there is a kickstart prompt',
  vetoed: 'visible work or another visible reason explains it',
  spent: 'all recoveries are used up',
};

export const RESPAWN_ACTION_TEXT: Record<RespawnAction, string> = {
  rewatch: 'restarts the timers',
  block: 'says why no cycle begins and restarts the timers',
  reconfirm: 'restarts the confirmation',
  hurry: 'shortens the confirmation',
  check_plan: 'asks the plan check',
  accept_plan: 'accepts the plan',
  leave_plan: 'leaves the screen alone',
  submit: 'hands the text to the outbox',
  hold: 'says why it waits, and tries again',
  confirm_step: 'starts the confirmation of the step',
  unconfirm_step: 'cancels the confirmation of the step',
  reconfirm_step: 'restarts the confirmation of the step if it runs',
  count_recovery: 'counts a recovery',
  defer_recovery: 'tries again a minute later',
};

export const RESPAWN_TIMER_TEXT: Record<RespawnTimer, string> = {
  pre_filter: 'Until the idle check',
  no_output: 'Silence',
  auto_accept: 'Until a plan may be accepted',
  completion_confirm: 'Confirmation',
  hook_confirm: 'Confirmation of the hook',
  check_timeout: 'Time limit of the check',
  step_delay: 'Pause before the step',
  step_confirm: 'Confirmation of the step',
  clear_fallback: 'Fallback of clear',
  init_monitor: 'Grace for work',
  stuck: 'Until it counts as stuck',
};

export const RESPAWN_BLOCK_TEXT: Record<RespawnBlock, { label: string; next: string }> = {
  restored: { label: 'Just restarted', next: 'Sends nothing until the grace period ends.' },
  text_pending: {
    label: 'Text on its way',
    next: 'Waits until it is known whether the last text arrived.',
  },
  keys_taken: {
    label: 'A person has the keys',
    next: 'Continues when they release the terminal.',
  },
  no_agent: { label: 'No agent', next: 'Start the agent in this session.' },
  agent_exited: { label: 'Agent exited', next: 'Start the agent again in this session.' },
  unknown_screen: { label: 'Unknown screen', next: 'Check what the terminal shows.' },
  working: { label: 'Working', next: 'Waits until the agent is done.' },
  background_work: { label: 'Background work', next: 'Waits for subagents and shells.' },
  waiting_for_person: { label: 'Waiting for a person', next: 'Answer the agent.' },
  budget: { label: 'Budget used up', next: 'Raise the budget to continue.' },
  reserve: {
    label: 'Kept for people',
    next: 'Continues when less of the window is kept, or after its reset.',
  },
  quota: { label: 'Waiting for quota', next: 'Continues after the reset.' },
  agent_error: { label: 'Agent error', next: 'Fix the error; it will not pass on its own.' },
  interrupted: { label: 'Interrupted', next: 'Send a prompt, or resume by hand.' },
  reported_done: {
    label: 'Agent reports done',
    next: 'Check the result. Send the agent a prompt to continue.',
  },
  reported_blocked: {
    label: 'Agent reports blocked',
    next: 'Remove the obstacle, then send the agent a prompt.',
  },
  circuit_open: { label: 'No progress', next: 'Tries one cycle after the pause.' },
  stuck: { label: 'Stuck', next: 'Check the terminal; all recoveries are used up.' },
};

export const IDLE_LAYER_TEXT: Record<IdleLayerName, string> = {
  agent_state: 'Agent state',
  hooks: 'Hooks',
  completion_line: 'Completion line',
  ai_verdict: 'AI verdict',
  silence: 'Silence',
  token_stability: 'Tokens stable',
  no_work: 'No work visible',
};

export const CYCLE_OUTCOME_TEXT: Record<CycleOutcome, string> = {
  completed: 'completed',
  worked: 'completed: init led to work',
  planned: 'ended: a step led to a plan',
  cancelled: 'cancelled: the agent works',
  undelivered: 'ended: a step was not delivered',
  stuck: 'ended: stuck',
  agent_gone: 'ended: the agent is no longer running',
  stopped: 'stopped',
};

export function respawnBlockText(block: RespawnBlock): { label: string; next: string } {
  return entryFor(RESPAWN_BLOCK_TEXT, block, (label) => ({ label, next: UNKNOWN_NEXT }));
}
