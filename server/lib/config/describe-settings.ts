/** The settings as their documentation lists them. */
import { Settings } from './settings.ts';

/** One setting as its documentation describes it. */
export interface SettingDescription {
  name: string;
  /** The default as written in the environment; null when it is not constant. */
  standard: string | null;
  /** What applies without it, where the default is not constant. */
  unset: string;
  meaning: string;
}

export function describeSettings(): SettingDescription[] {
  return Object.entries(Settings.shape).map(([name, schema]) => {
    const { description = '', unset = '' } = schema.meta() ?? {};
    const { def } = schema;
    const standard = 'defaultValue' in def ? written(def.defaultValue) : null;
    return { name, standard, unset: String(unset), meaning: description };
  });
}

/** A list as its items, a boolean as 0 or 1. */
function written(value: unknown): string {
  return Array.isArray(value)
    ? value.join(',')
    : String(typeof value === 'boolean' ? Number(value) : value);
}
