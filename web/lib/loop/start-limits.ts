/** The limits of a start: default, presets and bounds. */
import {
  DEFAULT_MAX_ITERATIONS,
  DEFAULT_TIMEOUT_MINUTES,
  MAX_ITERATIONS,
  MAX_TIMEOUT_MINUTES,
} from '$shared/rules/loops/loop-limits.ts';

export interface Limits {
  maxIterations: number | null;
  timeoutMinutes: number | null;
}

export const PRESETS = {
  look: { label: 'Quick', maxIterations: 5, timeoutMinutes: 15 },
  usual: {
    label: 'Default',
    maxIterations: DEFAULT_MAX_ITERATIONS,
    timeoutMinutes: DEFAULT_TIMEOUT_MINUTES,
  },
  afternoon: { label: 'Afternoon', maxIterations: 60, timeoutMinutes: 240 },
  night: { label: 'Night', maxIterations: 200, timeoutMinutes: 600 },
} as const;

export type Preset = keyof typeof PRESETS;

/** The matching preset, or 'own'. */
export function presetOf({ maxIterations, timeoutMinutes }: Limits): Preset | 'own' {
  const found = Object.entries(PRESETS).find(
    ([, preset]) =>
      preset.maxIterations === maxIterations && preset.timeoutMinutes === timeoutMinutes,
  );
  return (found?.[0] as Preset | undefined) ?? 'own';
}

export function limitErrors({ maxIterations, timeoutMinutes }: Limits): {
  maxIterations?: string;
  timeoutMinutes?: string;
} {
  return {
    ...(isWithin(maxIterations, MAX_ITERATIONS)
      ? {}
      : { maxIterations: `A whole number from 1 to ${MAX_ITERATIONS}.` }),
    ...(isWithin(timeoutMinutes, MAX_TIMEOUT_MINUTES)
      ? {}
      : { timeoutMinutes: `A whole number from 1 to ${MAX_TIMEOUT_MINUTES}.` }),
  };
}

function isWithin(value: number | null, maximum: number): boolean {
  return Number.isInteger(value) && value !== null && value >= 1 && value <= maximum;
}
