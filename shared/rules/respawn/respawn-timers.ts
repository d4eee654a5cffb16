/** The timers of respawn: in which states each runs, and what its end is. Free of zod, for the page. */
import type { ActiveState, RespawnTrigger } from './respawn-names.ts';

/** Each timer belongs to states, and its end is a trigger of them. */
export const RESPAWN_TIMERS = {
  pre_filter: 'quiet',
  no_output: 'silent',
  auto_accept: 'plan_due',
  completion_confirm: 'confirmed',
  hook_confirm: 'confirmed',
  check_timeout: 'check_failed',
  step_delay: 'step_due',
  step_confirm: 'step_confirmed',
  clear_fallback: 'clear_fallback',
  init_monitor: 'no_work',
  stuck: 'stuck',
} as const satisfies Record<string, RespawnTrigger>;
export type RespawnTimer = keyof typeof RESPAWN_TIMERS;

export const TIMERS_OF = {
  watching: ['pre_filter', 'no_output', 'auto_accept', 'stuck'],
  confirming_idle: ['completion_confirm', 'hook_confirm', 'no_output', 'stuck'],
  ai_checking: ['check_timeout', 'stuck'],
  sending_update: ['step_delay', 'stuck'],
  waiting_update: ['step_confirm', 'no_output', 'stuck'],
  sending_clear: ['step_delay', 'stuck'],
  waiting_clear: ['step_confirm', 'clear_fallback', 'stuck'],
  sending_init: ['step_delay', 'stuck'],
  waiting_init: ['step_confirm', 'no_output', 'stuck'],
  monitoring_init: ['init_monitor', 'stuck'],
  sending_kickstart: ['step_delay', 'stuck'],
  waiting_kickstart: ['step_confirm', 'no_output', 'stuck'],
} as const satisfies Record<ActiveState, readonly RespawnTimer[]>;
