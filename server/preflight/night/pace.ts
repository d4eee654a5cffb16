/** When a limit is used up if use continues as it was so far. Pure; times in milliseconds since 1970. */

export interface Pace {
  /** Share used, 0 to 1. */
  used: number;
  /** When it began to count, and when it begins again; null where it never does. */
  sinceMs: number;
  resetsAtMs: number | null;
}

/** Says when a limit is used up, before its reset; null where it will not be. A forecast may replace it. */
export type Forecast = (pace: Pace, nowMs: number) => number | null;

export const plainPace: Forecast = ({ used, sinceMs, resetsAtMs }, nowMs) => {
  if (used >= 1) return nowMs;
  const rate = used / Math.max(1, nowMs - sinceMs);
  if (rate <= 0) return null;
  const fullMs = Math.ceil(nowMs + (1 - used) / rate);
  return resetsAtMs !== null && fullMs >= resetsAtMs ? null : fullMs;
};
