/** The vocabulary of respawn: what its table, its events and its view are written in. Free of zod. */

export const RESPAWN_STATES = [
  'stopped',
  'watching',
  'confirming_idle',
  'ai_checking',
  'sending_update',
  'waiting_update',
  'sending_clear',
  'waiting_clear',
  'sending_init',
  'waiting_init',
  'monitoring_init',
  'sending_kickstart',
  'waiting_kickstart',
] as const;
export type RespawnStateName = (typeof RESPAWN_STATES)[number];
export type ActiveState = Exclude<RespawnStateName, 'stopped'>;

export const RESPAWN_STEPS = ['update', 'clear', 'init', 'kickstart'] as const;
export type RespawnStep = (typeof RESPAWN_STEPS)[number];

/** What can happen to the machine, as its table names it. */
export const RESPAWN_TRIGGERS = [
  'start',
  'stop',
  'busy',
  'output',
  'completed',
  'reported_idle',
  'idle_hook',
  'prompt',
  'agent_gone',
  'quiet',
  'silent',
  'confirmed',
  'verdict_idle',
  'verdict_working',
  'check_failed',
  'check_dropped',
  'plan_due',
  'step_due',
  'delivered',
  'undelivered',
  'step_confirmed',
  'clear_fallback',
  'no_work',
  'stuck',
] as const;
export type RespawnTrigger = (typeof RESPAWN_TRIGGERS)[number];

export const RESPAWN_GUARDS = [
  'enabled',
  'blocked',
  'unsettled',
  'needs_check',
  'check_cooling',
  'needs_plan_check',
  'may_accept',
  'plan_open',
  'reported',
  'submitted',
  'no_text',
  'held',
  'sends_clear',
  'sends_init',
  'has_kickstart',
  'vetoed',
  'spent',
] as const;
export type RespawnGuard = (typeof RESPAWN_GUARDS)[number];

/** What a transition does besides entering its state. */
export const RESPAWN_ACTIONS = [
  'rewatch',
  'block',
  'reconfirm',
  'hurry',
  'check_plan',
  'accept_plan',
  'leave_plan',
  'submit',
  'hold',
  'confirm_step',
  'unconfirm_step',
  'reconfirm_step',
  'count_recovery',
  'defer_recovery',
] as const;
export type RespawnAction = (typeof RESPAWN_ACTIONS)[number];

export const CYCLE_OUTCOMES = [
  'completed',
  /** `init` led to work, so no kickstart was needed. */
  'worked',
  /** A step led to a plan, which is accepted outside of a cycle. */
  'planned',
  'cancelled',
  'undelivered',
  'stuck',
  'agent_gone',
  'stopped',
] as const;
export type CycleOutcome = (typeof CYCLE_OUTCOMES)[number];

/** Why an idle agent gets no prompt now. */
export const RESPAWN_BLOCKS = [
  'restored',
  'text_pending',
  'keys_taken',
  'no_agent',
  'agent_exited',
  'unknown_screen',
  'working',
  'background_work',
  'waiting_for_person',
  'quota',
  'budget',
  'reserve',
  'agent_error',
  'interrupted',
  'reported_done',
  'reported_blocked',
  'circuit_open',
  'stuck',
] as const;
export type RespawnBlock = (typeof RESPAWN_BLOCKS)[number];

/** The layers of idle detection, the strongest first. */
export const IDLE_LAYERS = [
  'agent_state',
  'hooks',
  'completion_line',
  'ai_verdict',
  'silence',
  'token_stability',
  'no_work',
] as const;
export type IdleLayerName = (typeof IDLE_LAYERS)[number];

export const RESPAWN_CHECKS = ['idle', 'plan'] as const;
export type RespawnCheck = (typeof RESPAWN_CHECKS)[number];

export const RESPAWN_PRESET_IDS = [
  'solo-work',
  'subagent-workflow',
  'team-lead',
  'overnight',
] as const;
export type RespawnPresetId = (typeof RESPAWN_PRESET_IDS)[number];
