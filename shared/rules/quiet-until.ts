/** Quiet hours by the wall clock of their zone, across clock changes. */
import type { QuietHours } from '../schema/alerts/alerts.ts';

const MINUTE_MS = 60_000;
const DAY_MINUTES = 24 * 60;
/**
 * No clock changes by more. This close to the end every minute is checked, since the clock may jump
 * over it, and this soon after the beginning, since it may go back to before it.
 */
const LARGEST_CHANGE_MINUTES = 4 * 60;

/**
 * The end of the current quiet hours in milliseconds since 1970; null outside of them. If the clock
 * jumps over the end, they end at the jump.
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
  /** Minutes since the beginning and until the end; null outside of quiet hours. */
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
