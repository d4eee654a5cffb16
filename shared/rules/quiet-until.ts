/** Quiet hours by the wall clock of their zone, whatever that clock does at a change of time. */
import type { QuietHours } from '../schema/alerts.ts';

const MINUTE_MS = 60_000;
const DAY_MINUTES = 24 * 60;
/**
 * No clock is put forward or back by more. So near to their end every minute is checked, since the clock
 * may jump over it, and so soon after they begin, since it may go back to before.
 */
const LARGEST_CHANGE_MINUTES = 4 * 60;

/**
 * Takes quiet hours and a time; gives when they end, in milliseconds since 1970, or null when it is
 * not quiet. An end that the clock jumps over is the jump.
 */
export function quietUntil(
  { from, to, time_zone: timeZone }: Pick<QuietHours, 'from' | 'to' | 'time_zone'>,
  nowMs: number,
): number | null {
  const [start, end] = [minuteOf(from), minuteOf(to)];
  const format = new Intl.DateTimeFormat('en-GB', {
    timeZone,
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
  });
  /** How far the time of day is from the beginning and the end, in minutes; null when it is not quiet. */
  const within = (atMs: number): { since: number; left: number } | null => {
    const minute = minuteOf(format.format(atMs));
    const since = (minute - start + DAY_MINUTES) % DAY_MINUTES;
    const length = (end - start + DAY_MINUTES) % DAY_MINUTES;
    return since < length ? { since, left: length - since } : null;
  };
  if (within(nowMs) === null) return null;
  let atMs = Math.floor(nowMs / MINUTE_MS) * MINUTE_MS;
  for (let quiet = within(atMs); quiet !== null; quiet = within(atMs)) {
    const isNearStart = quiet.since < LARGEST_CHANGE_MINUTES;
    atMs += (isNearStart ? 1 : Math.max(1, quiet.left - LARGEST_CHANGE_MINUTES)) * MINUTE_MS;
  }
  return atMs;
}

function minuteOf(time: string): number {
  const [hours = '', minutes = ''] = time.split(':');
  return Number(hours) * 60 + Number(minutes);
}
