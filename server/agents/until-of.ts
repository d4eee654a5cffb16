/** When something ends by itself: the countdowns and times that stand on a screen. */
import { parseResetTime } from './reset-time.ts';
import type { ScreenReading } from './screen/screen-reading.ts';

const COUNTDOWN = /\bretry(?:ing)? in (?:(\d{1,3})h ?)?(?:(\d{1,3})m ?)?(?:(\d{1,4}) ?s)?/i;

/** Takes a reading and the time it was taken at; gives the time it counts down to, or null. */
export function untilOf({ reading }: { reading: ScreenReading }, takenAtMs: number): number | null {
  if (reading.untilText !== null) return parseResetTime(reading.untilText, takenAtMs);
  const match = COUNTDOWN.exec(reading.detail ?? '');
  if (match === null) return null;
  const [hours = 0, minutes = 0, seconds = 0] = match.slice(1).map((part) => Number(part || 0));
  const total = hours * 3600 + minutes * 60 + seconds;
  return total === 0 ? null : takenAtMs + total * 1000;
}
