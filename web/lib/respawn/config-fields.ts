/** The configuration as fields in groups, with their labels, units and bounds. */
import {
  RESPAWN_NUMBERS,
  RESPAWN_SWITCHES,
  type RespawnNumberKey,
  type RespawnSwitchKey,
} from '$shared/rules/respawn/respawn-keys.ts';
import type { RespawnConfig } from '$shared/schema/loops/respawn.ts';

export type ConfigKey = keyof RespawnConfig;
export type TextKey = Exclude<ConfigKey, RespawnNumberKey | RespawnSwitchKey>;

export interface NumberField {
  kind: 'number';
  key: RespawnNumberKey;
  label: string;
  hint: string;
  unit: string;
  /** How much of the stored unit one of the shown is. */
  scale: number;
  least: number;
  most: number;
}

export interface SwitchField {
  kind: 'switch';
  key: RespawnSwitchKey;
  label: string;
  hint: string;
}

export interface TextField {
  kind: 'text';
  key: TextKey;
  label: string;
  hint: string;
  /** Empty means null. */
  isOptional: boolean;
  isModel: boolean;
}

export type ConfigField = NumberField | SwitchField | TextField;

export interface ConfigGroup {
  title: string;
  fields: ConfigField[];
}

const LABELS: Record<ConfigKey, string> = {
  enabled: 'Enabled',
  update_prompt: 'Update prompt',
  clear_prompt: 'Clear command',
  init_prompt: 'Init prompt',
  kickstart_prompt: 'Kickstart prompt',
  send_clear: 'Send clear',
  send_init: 'Send init',
  skip_clear: 'Skip clear with little context',
  skip_clear_below_percent: 'Skip clear below',
  inter_step_delay_ms: 'Pause between steps',
  no_output_timeout_ms: 'Silence until idle',
  min_idle_confidence: 'Confidence needed',
  idle_timeout_ms: 'Silence before the idle check',
  completion_confirm_ms: 'Confirmation',
  adaptive_confirm: 'Adaptive confirmation',
  adaptive_min_ms: 'Shortest confirmation',
  adaptive_max_ms: 'Longest confirmation',
  idle_check_enabled: 'AI idle check',
  idle_check_model: 'Model of the idle check',
  idle_check_context: 'Context of the idle check',
  idle_check_timeout_ms: 'Time limit of the idle check',
  idle_check_cooldown_ms: 'Pause of the idle check',
  auto_accept_plans: 'Accept plans',
  auto_accept_delay_ms: 'Silence before a plan is accepted',
  plan_check_enabled: 'AI plan check',
  plan_check_model: 'Model of the plan check',
  plan_check_context: 'Context of the plan check',
  plan_check_timeout_ms: 'Time limit of the plan check',
  plan_check_cooldown_ms: 'Pause of the plan check',
  stuck_warning_ms: 'Warn when stuck for',
  stuck_recovery_ms: 'Recover when stuck for',
  max_stuck_recoveries: 'Recoveries',
  breaker_after_cycles: 'Circuit breaker after',
  breaker_cooldown_ms: 'Circuit breaker pause',
};

const TEXT_HINTS: Record<TextKey, string> = {
  update_prompt: 'Sent first: the agent writes down where it is.',
  clear_prompt: 'Clears the context.',
  init_prompt: 'Reads the project again.',
  kickstart_prompt: 'Sent when init leads to no work. Empty sends none.',
  idle_check_model: 'Empty uses the default of the client.',
  plan_check_model: 'Empty uses the default of the client.',
};

const IMPORTANT: readonly ConfigKey[] = [
  'kickstart_prompt',
  'update_prompt',
  'no_output_timeout_ms',
  'min_idle_confidence',
  'breaker_after_cycles',
  'breaker_cooldown_ms',
  'send_clear',
  'send_init',
  'auto_accept_plans',
  'idle_check_enabled',
];

const FOLDED: readonly (readonly [title: string, keys: readonly ConfigKey[]])[] = [
  [
    'Steps',
    [
      'clear_prompt',
      'init_prompt',
      'inter_step_delay_ms',
      'skip_clear_below_percent',
      'skip_clear',
    ],
  ],
  [
    'Idle detection',
    [
      'idle_timeout_ms',
      'completion_confirm_ms',
      'adaptive_min_ms',
      'adaptive_max_ms',
      'adaptive_confirm',
    ],
  ],
  [
    'AI idle check',
    ['idle_check_model', 'idle_check_context', 'idle_check_timeout_ms', 'idle_check_cooldown_ms'],
  ],
  [
    'Plans',
    [
      'auto_accept_delay_ms',
      'plan_check_model',
      'plan_check_context',
      'plan_check_timeout_ms',
      'plan_check_cooldown_ms',
      'plan_check_enabled',
    ],
  ],
  [
    'When it gets stuck',
    ['stuck_warning_ms', 'stuck_recovery_ms', 'max_stuck_recoveries', 'enabled'],
  ],
];

const MINUTE_MS = 60_000;
/** Ranges beyond this are shown in minutes. */
const MOST_SECONDS_MS = 600_000;

export const IMPORTANT_FIELDS: readonly ConfigField[] = IMPORTANT.map(fieldOf);
export const FOLDED_GROUPS: readonly ConfigGroup[] = FOLDED.map(([title, keys]) => ({
  title,
  fields: keys.map(fieldOf),
}));
export const FIELDS: readonly ConfigField[] = [
  ...IMPORTANT_FIELDS,
  ...FOLDED_GROUPS.flatMap(({ fields }) => fields),
];

function fieldOf(key: ConfigKey): ConfigField {
  const label = LABELS[key];
  if (isNumber(key)) {
    const { least, most, unit, meaning } = RESPAWN_NUMBERS[key];
    const shown = shownUnit(unit, most);
    const bounds = { least: least / shown.scale, most: most / shown.scale };
    return { kind: 'number', key, label, hint: hintOf(meaning), ...shown, ...bounds };
  }
  if (isSwitch(key)) {
    return { kind: 'switch', key, label, hint: hintOf(RESPAWN_SWITCHES[key].meaning) };
  }
  const isModel = key.endsWith('_model');
  const isOptional = isModel || key === 'kickstart_prompt';
  return { kind: 'text', key, label, hint: TEXT_HINTS[key], isOptional, isModel };
}

function shownUnit(unit: string, most: number): { unit: string; scale: number } {
  if (unit !== 'ms') return { unit, scale: 1 };
  return most > MOST_SECONDS_MS ? { unit: 'min', scale: MINUTE_MS } : { unit: 's', scale: 1_000 };
}

/** The names of other keys become their labels. */
function hintOf(meaning: string): string {
  return meaning.replace(/`(\w+)`/g, (_, word: string) =>
    word in LABELS ? `“${LABELS[word as ConfigKey]}”` : word,
  );
}

function isNumber(key: ConfigKey): key is RespawnNumberKey {
  return key in RESPAWN_NUMBERS;
}

function isSwitch(key: ConfigKey): key is RespawnSwitchKey {
  return key in RESPAWN_SWITCHES;
}
