/** Quiet hours by the wall clock of their zone, whatever that clock does at a change of time. */
import type { QuietHours } from '../schema/alerts.ts';

const MINUTE_MS = 60_000;
const DAY_MINUTES = 24 * 60;
/** No clock is put forward by more; so near to the end every minute is looked at. */
const LAST_STRETCH_MINUTES = 4 * 60;

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
  const left = (atMs: number): number => {
    const minute = minuteOf(format.format(atMs));
    const isQuiet = start < end ? minute >= start && minute < end : minute >= start || minute < end;
    return isQuiet ? (end - minute + DAY_MINUTES) % DAY_MINUTES : 0;
  };
  if (left(nowMs) === 0) return null;
  let atMs = Math.floor(nowMs / MINUTE_MS) * MINUTE_MS;
  for (let minutes = left(atMs); minutes > 0; minutes = left(atMs)) {
    atMs += Math.max(1, minutes - LAST_STRETCH_MINUTES) * MINUTE_MS;
  }
  return atMs;
}

function minuteOf(time: string): number {
  const [hours = '', minutes = ''] = time.split(':');
  return Number(hours) * 60 + Number(minutes);
}
