/** A window of the plan against the clock: what is used, and how much of its time is over. Pure. */
import type { PlanWindow, PlanWindowName } from '$shared/schema/usage/usage.ts';

const HOUR_MS = 3_600_000;
const WINDOW_MS: Record<PlanWindowName, number> = {
  five_hour: 5 * HOUR_MS,
  weekly: 7 * 24 * HOUR_MS,
};
/** Within these percentage points it counts as on pace. */
const NEAR_POINTS = 5;

export interface Pace {
  /** 0 to 100; null when the window was reset after the reading. */
  usedPercent: number | null;
  /** The share of its time that is over, 0 to 100; null when the window was reset. */
  gonePercent: number | null;
  /** `ahead`: used faster than time passes. */
  kind: 'ahead' | 'on' | 'under' | 'full' | 'reset';
  text: string;
}

export function paceOf(name: PlanWindowName, window: PlanWindow, nowMs: number): Pace {
  const leftMs = Date.parse(window.resets_at) - nowMs;
  if (leftMs <= 0) {
    const text =
      'Unknown: the window was reset after this reading, and no client has reported since.';
    return { usedPercent: null, gonePercent: null, kind: 'reset', text };
  }
  const goneAt = (ms: number) => Math.min(100, Math.max(0, 100 * (1 - ms / WINDOW_MS[name])));
  // The figure is as old as its reading, so it is compared with the time over then.
  const goneThen = goneAt(Date.parse(window.resets_at) - Date.parse(window.read_at));
  const usedPercent = Math.min(100, window.used_percent);
  const ahead = Math.round(usedPercent - goneThen);
  const read = { usedPercent, gonePercent: goneAt(leftMs) };
  if (usedPercent >= 100) {
    return { ...read, kind: 'full', text: 'Used up.' };
  }
  if (Math.abs(ahead) <= NEAR_POINTS) {
    return { ...read, kind: 'on', text: 'On pace: used about as fast as time passes.' };
  }
  const points = `${Math.abs(ahead)} points`;
  return ahead > 0
    ? {
        ...read,
        kind: 'ahead',
        text: `${points} ahead of the clock: it runs out early at this pace.`,
      }
    : {
        ...read,
        kind: 'under',
        text: `${points} behind the clock: it lasts until the reset at this pace.`,
      };
}
