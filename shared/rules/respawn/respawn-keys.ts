/**
 * The numbers, switches and timings of respawn with their defaults, ranges and units. Free of zod,
 * for the page. Unless a line says otherwise the figures are those of the respawn controller that
 * Codeman published in 2026, so that its users find what they know.
 */

interface NumberKey {
  standard: number;
  least: number;
  most: number;
  unit: 'ms' | 'characters' | 'percent' | 'cycles' | 'times' | 'points';
  meaning: string;
}

const MINUTE_MS = 60_000;

export const RESPAWN_NUMBERS = {
  idle_timeout_ms: {
    ...range(10_000, 1_000, 600_000),
    meaning: 'Silence and stable tokens before the idle check is asked.',
  },
  completion_confirm_ms: {
    ...range(10_000, 1_000, 60_000),
    meaning: 'Silence that confirms the end of a turn or step; at most `no_output_timeout_ms`.',
  },
  no_output_timeout_ms: {
    ...range(30_000, 5_000, 600_000),
    meaning: 'Silence after which an agent without any other sign may be idle.',
  },
  inter_step_delay_ms: {
    ...range(1_000, 100, 60_000),
    meaning: 'Pause before the text of a step is sent.',
  },
  auto_accept_delay_ms: {
    ...range(8_000, 0, 60_000),
    meaning: 'Silence before a plan is accepted; 0 accepts it at once.',
  },
  adaptive_min_ms: {
    ...range(5_000, 1_000, 60_000),
    meaning: 'Shortest adaptive confirmation.',
  },
  adaptive_max_ms: {
    ...range(30_000, 1_000, 600_000),
    meaning: 'Longest adaptive confirmation.',
  },
  min_idle_confidence: {
    standard: 65,
    least: 0,
    most: 100,
    unit: 'points',
    meaning: 'Weight that the layers must reach together before an agent counts as idle.',
  },
  skip_clear_below_percent: {
    standard: 30,
    least: 0,
    most: 100,
    unit: 'percent',
    meaning: 'Context share below which `clear` is skipped; an unknown share skips nothing.',
  },
  idle_check_context: {
    standard: 16_000,
    least: 1_000,
    most: 500_000,
    unit: 'characters',
    meaning: 'End of the terminal that the idle check reads.',
  },
  idle_check_timeout_ms: {
    ...range(90_000, 10_000, 300_000),
    meaning: 'Time limit of one idle check.',
  },
  idle_check_cooldown_ms: {
    ...range(180_000, 1_000, 300_000),
    meaning: 'Pause after the verdict WORKING.',
  },
  plan_check_context: {
    standard: 8_000,
    least: 1_000,
    most: 500_000,
    unit: 'characters',
    meaning: 'End of the terminal that the plan check reads.',
  },
  plan_check_timeout_ms: {
    ...range(60_000, 10_000, 300_000),
    meaning: 'Time limit of one plan check.',
  },
  plan_check_cooldown_ms: {
    ...range(30_000, 1_000, 300_000),
    meaning: 'Pause after the verdict NOT_PLAN_MODE.',
  },
  stuck_warning_ms: {
    ...range(5 * MINUTE_MS, MINUTE_MS, 24 * 60 * MINUTE_MS),
    meaning: 'Time in one state after which the action log warns.',
  },
  stuck_recovery_ms: {
    ...range(10 * MINUTE_MS, MINUTE_MS, 24 * 60 * MINUTE_MS),
    meaning: 'Time in one state, without visible work, after which it is left by force.',
  },
  max_stuck_recoveries: {
    standard: 3,
    least: 0,
    most: 100,
    unit: 'times',
    meaning: 'Recoveries until a cycle completes again; then a person is needed.',
  },
  // Ours: three cycles for nothing cost about what one cycle with work does; half an hour is longer
  // than an outage usually lasts and short enough for a night.
  breaker_after_cycles: {
    standard: 3,
    least: 1,
    most: 100,
    unit: 'cycles',
    meaning: 'Cycles without progress after which the circuit breaker opens.',
  },
  breaker_cooldown_ms: {
    ...range(30 * MINUTE_MS, MINUTE_MS, 24 * 60 * MINUTE_MS),
    meaning: 'Pause of an open circuit breaker before it lets one cycle through.',
  },
} as const satisfies Record<string, NumberKey>;
export type RespawnNumberKey = keyof typeof RESPAWN_NUMBERS;

export const RESPAWN_SWITCHES = {
  enabled: { standard: true, meaning: 'Off stops it, and it does not start again.' },
  send_clear: { standard: true, meaning: 'Sends the step `clear`.' },
  send_init: { standard: true, meaning: 'Sends the step `init`.' },
  skip_clear: { standard: true, meaning: 'Skips `clear` while little context is used.' },
  auto_accept_plans: { standard: true, meaning: 'Accepts plans; never answers anything else.' },
  adaptive_confirm: {
    standard: true,
    meaning: 'Adapts the confirmation to how long this agent continues after it seemed done.',
  },
  idle_check_enabled: { standard: true, meaning: 'Asks a model whether the agent is idle.' },
  plan_check_enabled: { standard: true, meaning: 'Asks a model whether a plan is shown.' },
} as const satisfies Record<string, { standard: boolean; meaning: string }>;
export type RespawnSwitchKey = keyof typeof RESPAWN_SWITCHES;

export const MAX_STEP_CHARACTERS = 10_000;
/** Of a timed run, in minutes. */
export const MAX_RUN_MINUTES = 14_400;

/** What no one needs to set, in milliseconds. */
export const RESPAWN_TIMINGS = {
  /** No visible work for this long. */
  working_absence: 8_000,
  hook_confirm: 3_000,
  clear_fallback: 10_000,
  init_monitor: 3_000,
  /** Nothing is sent for so long after the daemon started again. */
  restore_grace: 2 * MINUTE_MS,
  /** A visible reason defers a recovery by this. */
  stuck_defer: MINUTE_MS,
  /** Ours: a check that outlives its time limit by this has failed. */
  check_slack: 10_000,
  /**
   * Ours: after the reset of a limit a client that continues on its own gets this long. The time it
   * names has no seconds.
   */
  after_reset: 2 * MINUTE_MS,
  /** Ours: a step that is held is tried again after this. */
  hold_retry: 5_000,
} as const;

/** Of the adaptive confirmation: the 75th percentile of the last samples, and a fifth on top. */
export const ADAPTIVE = { samples: 20, needed: 5, percentile: 0.75, factor: 1.2 } as const;

export const MAX_ACTIONS = 20;
export const MAX_CYCLES_KEPT = 20;

/** Of a checker: errors in a row that switch it off, and its pauses after each, doubling. */
export const CHECK_ERRORS = {
  max: 3,
  idle_pause_ms: 60_000,
  plan_pause_ms: 30_000,
  longest_pause_ms: 300_000,
} as const;

function range(standard: number, least: number, most: number) {
  return { standard, least, most, unit: 'ms' } as const;
}
