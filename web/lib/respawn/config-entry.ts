/** What is entered in the fields of the configuration: from it, back to it, and what is wrong. Pure. */
import { MAX_STEP_CHARACTERS } from '$shared/rules/respawn/respawn-keys.ts';
import type { RespawnConfig, RespawnConfigChange } from '$shared/schema/loops/respawn.ts';
import { type ConfigField, type ConfigKey, FIELDS } from './config-fields.ts';

/** As entered: numbers in the shown unit, null when the field is empty. */
export type Entered = Record<ConfigKey, string | number | boolean | null>;
export type ConfigErrors = Partial<Record<ConfigKey | 'form', string>>;

const MODEL = /^[A-Za-z0-9][A-Za-z0-9._/-]*$/;

export function enteredOf(config: RespawnConfig): Entered {
  const entries = FIELDS.map((field) => {
    const value = config[field.key];
    if (field.kind === 'number') return [field.key, Number(value) / field.scale];
    return [field.key, value ?? ''];
  });
  return Object.fromEntries(entries) as Entered;
}

export function configOf(entered: Entered): RespawnConfig {
  const entries = FIELDS.map((field) => {
    const value = entered[field.key];
    if (field.kind === 'number') return [field.key, Math.round(Number(value) * field.scale)];
    if (field.kind === 'switch') return [field.key, value];
    const text = String(value).trim();
    return [field.key, text === '' && field.isOptional ? null : text];
  });
  return Object.fromEntries(entries) as RespawnConfig;
}

/** Only what differs: what someone else changed meanwhile stays. */
export function changedIn(before: RespawnConfig, after: RespawnConfig): RespawnConfigChange {
  const keys = Object.keys(after) as ConfigKey[];
  return Object.fromEntries(
    keys.filter((key) => after[key] !== before[key]).map((key) => [key, after[key]]),
  );
}

export function configErrors(entered: Entered): ConfigErrors {
  const errors: ConfigErrors = {};
  for (const field of FIELDS) {
    const error = errorOf(field, entered[field.key]);
    if (error !== null) errors[field.key] = error;
  }
  const { adaptive_min_ms: least, adaptive_max_ms: most } = entered;
  if (Number(least) > Number(most)) {
    errors.adaptive_max_ms ??= 'Must not be less than the shortest confirmation.';
  }
  return errors;
}

function errorOf(field: ConfigField, value: Entered[ConfigKey]): string | null {
  if (field.kind === 'switch') return null;
  if (field.kind === 'number') {
    const { least, most, unit, scale } = field;
    const isWhole = scale > 1 || Number.isInteger(value);
    const isWithin = typeof value === 'number' && value >= least && value <= most;
    return isWithin && isWhole ? null : `From ${least} to ${most} ${unit}.`;
  }
  const text = String(value ?? '').trim();
  if (text === '') return field.isOptional ? null : 'Enter a text.';
  if (text.length > MAX_STEP_CHARACTERS) return `At most ${MAX_STEP_CHARACTERS} characters.`;
  return field.isModel && !MODEL.test(text) ? 'A model name, such as haiku.' : null;
}
