/**
 * The state machine of respawn as one table: the daemon's machine looks its transitions up here, the
 * page and `docs/respawn.md` draw it. What is not a row does not happen. Free of zod, for the page.
 */
import {
  type CycleOutcome,
  RESPAWN_TRIGGERS,
  type RespawnAction,
  type RespawnGuard,
  type RespawnStateName,
  type RespawnTrigger,
} from './respawn-names.ts';

export interface RespawnRow {
  from: readonly RespawnStateName[];
  on: RespawnTrigger;
  /** Of the rows of a state and trigger the first one applies whose guard holds. */
  if?: RespawnGuard;
  /** `stay`, or the state itself, continues the visit: since when it lasts, and its stuck timer. */
  to: RespawnStateName | 'stay';
  does?: RespawnAction;
  /** How the cycle under way ends. */
  ends?: CycleOutcome;
}

const WATCHING = ['watching'] as const;
const CONFIRMING = ['confirming_idle'] as const;
const CHECKING = ['ai_checking'] as const;
const UNSURE = ['watching', 'confirming_idle'] as const;
const DETECTING = ['watching', 'confirming_idle', 'ai_checking'] as const;
/** The one step whose text may be taken away. */
const KICKSTART = ['sending_kickstart'] as const;
/** Steps after the first: what one of them meets ends nothing. */
const LATER = ['sending_clear', 'sending_init', 'sending_kickstart'] as const;
const SENDING = ['sending_update', ...LATER] as const;
/** Turns of the agent: their end is seen. `clear` is none; it has a fallback. */
const TURNS = ['waiting_update', 'waiting_init', 'waiting_kickstart'] as const;
const WAITING = ['waiting_clear', ...TURNS] as const;
const CYCLE = [...SENDING, ...WAITING, 'monitoring_init'] as const;
const ACTIVE = [...DETECTING, ...CYCLE] as const;

export const RESPAWN_ROWS: readonly RespawnRow[] = [
  { from: ['stopped'], on: 'start', if: 'enabled', to: 'watching' },
  { from: ['stopped'], on: 'start', to: 'stay' },
  { from: DETECTING, on: 'stop', to: 'stopped' },
  { from: CYCLE, on: 'stop', to: 'stopped', ends: 'stopped' },

  // Is it idle?
  { from: DETECTING, on: 'busy', to: 'watching', does: 'rewatch' },
  { from: DETECTING, on: 'output', to: 'watching', does: 'rewatch' },
  { from: ['confirming_idle', 'ai_checking'], on: 'agent_gone', to: 'watching' },
  { from: ['watching', 'ai_checking'], on: 'completed', to: 'confirming_idle' },
  { from: ['watching', 'ai_checking'], on: 'reported_idle', to: 'confirming_idle' },
  { from: CONFIRMING, on: 'completed', to: 'stay', does: 'reconfirm' },
  { from: CONFIRMING, on: 'reported_idle', to: 'stay', does: 'hurry' },
  { from: CONFIRMING, on: 'confirmed', if: 'unsettled', to: 'stay', does: 'reconfirm' },
  { from: CONFIRMING, on: 'confirmed', if: 'needs_check', to: 'ai_checking' },
  { from: CONFIRMING, on: 'confirmed', if: 'check_cooling', to: 'watching' },
  { from: WATCHING, on: 'quiet', if: 'needs_check', to: 'ai_checking' },
  { from: WATCHING, on: 'quiet', to: 'stay' },
  { from: UNSURE, on: 'silent', if: 'needs_check', to: 'ai_checking' },
  { from: UNSURE, on: 'silent', if: 'check_cooling', to: 'watching', does: 'rewatch' },
  { from: UNSURE, on: 'silent', if: 'unsettled', to: 'watching', does: 'rewatch' },
  { from: CHECKING, on: 'verdict_working', to: 'watching' },
  { from: CHECKING, on: 'check_failed', to: 'watching' },
  { from: CHECKING, on: 'check_dropped', to: 'watching' },

  // It is idle: does a cycle begin?
  { from: CONFIRMING, on: 'confirmed', if: 'blocked', to: 'watching', does: 'block' },
  { from: CONFIRMING, on: 'confirmed', to: 'sending_update' },
  { from: UNSURE, on: 'silent', if: 'blocked', to: 'watching', does: 'block' },
  { from: UNSURE, on: 'silent', to: 'sending_update' },
  { from: CHECKING, on: 'verdict_idle', if: 'blocked', to: 'watching', does: 'block' },
  { from: CHECKING, on: 'verdict_idle', to: 'sending_update' },
  { from: DETECTING, on: 'idle_hook', if: 'blocked', to: 'watching', does: 'block' },
  { from: DETECTING, on: 'idle_hook', to: 'sending_update' },

  // Does it show a plan?
  { from: WATCHING, on: 'plan_due', if: 'needs_plan_check', to: 'stay', does: 'check_plan' },
  { from: WATCHING, on: 'plan_due', if: 'may_accept', to: 'stay', does: 'accept_plan' },
  { from: WATCHING, on: 'plan_due', to: 'stay', does: 'leave_plan' },

  // A plan opens in a cycle: the agent has its next work, and `watching` accepts it.
  {
    from: [...SENDING, ...TURNS],
    on: 'busy',
    if: 'plan_open',
    to: 'watching',
    ends: 'planned',
  },
  { from: WAITING, on: 'step_confirmed', if: 'plan_open', to: 'watching', ends: 'planned' },
  {
    from: ['waiting_clear'],
    on: 'clear_fallback',
    if: 'plan_open',
    to: 'watching',
    ends: 'planned',
  },
  { from: ['monitoring_init'], on: 'no_work', if: 'plan_open', to: 'watching', ends: 'planned' },
  { from: SENDING, on: 'step_due', if: 'plan_open', to: 'watching', ends: 'planned' },

  // A step is sent.
  { from: ['sending_update'], on: 'busy', if: 'submitted', to: 'stay' },
  { from: ['sending_update'], on: 'busy', to: 'watching', ends: 'cancelled' },
  // Work holds the step when it is due.
  { from: LATER, on: 'busy', to: 'stay' },
  { from: KICKSTART, on: 'step_due', if: 'no_text', to: 'watching', ends: 'completed' },
  // Its message was read only now.
  {
    from: ['sending_update'],
    on: 'step_due',
    if: 'reported',
    to: 'watching',
    does: 'block',
    ends: 'cancelled',
  },
  { from: SENDING, on: 'step_due', if: 'held', to: 'stay', does: 'hold' },
  { from: SENDING, on: 'step_due', to: 'stay', does: 'submit' },
  { from: ['sending_update'], on: 'delivered', to: 'waiting_update' },
  { from: ['sending_clear'], on: 'delivered', to: 'waiting_clear' },
  { from: ['sending_init'], on: 'delivered', to: 'waiting_init' },
  { from: ['sending_kickstart'], on: 'delivered', to: 'waiting_kickstart' },
  { from: SENDING, on: 'undelivered', to: 'watching', ends: 'undelivered' },

  // Is it done?
  { from: WAITING, on: 'completed', to: 'stay', does: 'confirm_step' },
  { from: WAITING, on: 'reported_idle', to: 'stay', does: 'confirm_step' },
  { from: WAITING, on: 'idle_hook', to: 'stay', does: 'confirm_step' },
  { from: WAITING, on: 'prompt', to: 'stay', does: 'confirm_step' },
  { from: TURNS, on: 'silent', to: 'stay', does: 'confirm_step' },
  { from: TURNS, on: 'busy', to: 'stay', does: 'unconfirm_step' },
  { from: TURNS, on: 'output', to: 'stay', does: 'reconfirm_step' },
  { from: WAITING, on: 'step_confirmed', if: 'held', to: 'stay', does: 'hold' },
  {
    from: ['waiting_clear'],
    on: 'clear_fallback',
    if: 'held',
    to: 'stay',
    does: 'hold',
  },

  // It is done: what comes next?
  {
    from: ['waiting_update'],
    on: 'step_confirmed',
    if: 'reported',
    to: 'watching',
    ends: 'completed',
  },
  { from: ['waiting_update'], on: 'step_confirmed', if: 'sends_clear', to: 'sending_clear' },
  { from: ['waiting_update'], on: 'step_confirmed', if: 'sends_init', to: 'sending_init' },
  { from: ['waiting_clear'], on: 'step_confirmed', if: 'sends_init', to: 'sending_init' },
  { from: ['waiting_clear'], on: 'clear_fallback', if: 'sends_init', to: 'sending_init' },
  { from: ['waiting_clear'], on: 'clear_fallback', to: 'watching', ends: 'completed' },
  { from: ['waiting_init'], on: 'step_confirmed', if: 'has_kickstart', to: 'monitoring_init' },
  { from: WAITING, on: 'step_confirmed', to: 'watching', ends: 'completed' },
  { from: ['monitoring_init'], on: 'busy', to: 'watching', ends: 'worked' },
  { from: ['monitoring_init'], on: 'no_work', if: 'held', to: 'stay', does: 'hold' },
  { from: ['monitoring_init'], on: 'no_work', if: 'has_kickstart', to: 'sending_kickstart' },
  { from: ['monitoring_init'], on: 'no_work', to: 'watching', ends: 'completed' },

  // Ways out of everything.
  { from: CYCLE, on: 'agent_gone', to: 'watching', ends: 'agent_gone' },
  { from: ACTIVE, on: 'stuck', if: 'vetoed', to: 'stay', does: 'defer_recovery' },
  { from: ACTIVE, on: 'stuck', if: 'spent', to: 'stay', does: 'defer_recovery' },
  { from: DETECTING, on: 'stuck', to: 'sending_update', does: 'count_recovery' },
  { from: CYCLE, on: 'stuck', to: 'watching', does: 'count_recovery', ends: 'stuck' },
];

export interface IgnoredTriggers {
  in: readonly RespawnStateName[];
  on: readonly RespawnTrigger[];
  because: string;
}

const DETECTION_ENDS = [
  'quiet',
  'confirmed',
  'verdict_idle',
  'verdict_working',
  'check_failed',
  'check_dropped',
  'plan_due',
] as const;

/** What a state ignores. Rows and these together name every trigger in every state, once. */
export const RESPAWN_IGNORED: readonly IgnoredTriggers[] = [
  {
    in: ['stopped'],
    on: RESPAWN_TRIGGERS.filter((trigger) => trigger !== 'start'),
    because: 'Nothing happens while it is stopped.',
  },
  { in: ACTIVE, on: ['start'], because: 'It runs already.' },
  { in: DETECTING, on: ['prompt'], because: 'A prompt alone does not show that a turn is over.' },
  {
    in: WATCHING,
    on: ['confirmed', 'verdict_idle', 'verdict_working', 'check_failed', 'check_dropped'],
    because: 'Nothing is being confirmed or checked.',
  },
  { in: WATCHING, on: ['agent_gone'], because: 'The next decision is blocked by it.' },
  {
    in: CONFIRMING,
    on: ['quiet', 'verdict_idle', 'verdict_working', 'check_failed', 'check_dropped', 'plan_due'],
    because: 'Its own timer decides, and no check runs.',
  },
  {
    in: CHECKING,
    on: ['quiet', 'silent', 'confirmed', 'plan_due'],
    because: 'The verdict of the check decides.',
  },
  {
    in: DETECTING,
    on: ['step_due', 'delivered', 'undelivered', 'step_confirmed', 'clear_fallback', 'no_work'],
    because: 'No step is under way.',
  },
  { in: CYCLE, on: DETECTION_ENDS, because: 'Idle detection pauses during a cycle.' },
  {
    in: SENDING,
    on: ['output', 'completed', 'reported_idle', 'idle_hook', 'prompt', 'silent'],
    because: 'The step is not sent yet.',
  },
  {
    in: SENDING,
    on: ['step_confirmed', 'clear_fallback', 'no_work'],
    because: 'It is not sent yet.',
  },
  { in: WAITING, on: ['step_due', 'delivered', 'undelivered', 'no_work'], because: 'It is sent.' },
  {
    in: ['waiting_clear'],
    on: ['busy', 'output', 'silent'],
    because: '`/clear` is no turn: the prompt or the fallback ends it.',
  },
  { in: TURNS, on: ['clear_fallback'], because: 'Only `clear` has a fallback.' },
  {
    in: ['monitoring_init'],
    on: ['output', 'completed', 'reported_idle', 'idle_hook', 'prompt', 'silent'],
    because: 'Only work or the end of the grace counts, however often the prompt is redrawn.',
  },
  {
    in: ['monitoring_init'],
    on: ['step_due', 'delivered', 'undelivered', 'step_confirmed', 'clear_fallback'],
    because: 'No step is under way.',
  },
];
