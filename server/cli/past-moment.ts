import { CliError, ExitCode } from './exit-code.ts';
import type { Zoned } from './print/time-text.ts';

const CLOCK = /^(\d{1,2}):(\d{2})(?::(\d{2}))?$/;
const DATE =
  /^(\d{4})-(\d{2})-(\d{2})(?:[T ](\d{2}):(\d{2})(?::(\d{2})(?:\.(\d{3})\d*)?)?(Z|[+-]\d{2}:?\d{2})?)?$/i;

/** Year, month, day, hour, minute, second, millisecond, as a calendar and a clock show them. */
type Wall = readonly [number, number, number, number, number, number, number];

/**
 * `given` is a time as `timeIn` prints it, ISO 8601, a time of day (its latest occurrence), or the
 * number of a snapshot; gives it as the API takes it. Without an offset it is in the zone of this
 * shell, or UTC. A time without seconds means the end of its minute, one without a fraction the end
 * of its second, so that a printed time includes what happened in it. Throws a CliError (usage).
 */
export function pastMoment(given: string, { utc = false }: Zoned, now = new Date()): string {
  if (/^\d{1,15}$/.test(given)) return given;
  const zone = utc ? 0 : null;
  const clock = CLOCK.exec(given);
  if (clock !== null)
    return latest(wallOf(given, [...today(now, utc), ...clock.slice(1)]), zone, now);
  const date = DATE.exec(given);
  if (date === null) throw noTime(given);
  const offset = date[8] === undefined ? zone : offsetOf(date[8]);
  return new Date(momentOf(wallOf(given, date.slice(1, 8)), offset)).toISOString();
}

/** A minute that is not over yet is this one, any later one was yesterday. */
function latest(wall: Wall, offset: number | null, now: Date): string {
  const moment = momentOf(wall, offset);
  if (moment - now.getTime() < 60_000) return new Date(moment).toISOString();
  const [year, month, day, ...time] = wall;
  return new Date(momentOf([year, month, day - 1, ...time], offset)).toISOString();
}

function today(now: Date, utc: boolean): string[] {
  const parts = utc
    ? [now.getUTCFullYear(), now.getUTCMonth() + 1, now.getUTCDate()]
    : [now.getFullYear(), now.getMonth() + 1, now.getDate()];
  return parts.map(String);
}

function wallOf(given: string, parts: readonly (string | undefined)[]): Wall {
  const [year, month, day, hour = '23', minute = '59', second = '59', ms = '999'] = parts;
  const wall = [year, month, day, hour, minute, second, ms].map(Number) as unknown as Wall;
  const [, , , hours, minutes, seconds] = wall;
  const date = new Date(Date.UTC(wall[0], wall[1] - 1, wall[2]));
  const isDate = date.getUTCMonth() === wall[1] - 1 && date.getUTCDate() === wall[2];
  if (!isDate || hours > 23 || minutes > 59 || seconds > 59) throw noTime(given);
  return wall;
}

/** `offset` in minutes east of UTC; null is the zone of this shell. */
function momentOf([year, month, ...rest]: Wall, offset: number | null): number {
  if (offset === null) return new Date(year, month - 1, ...rest).getTime();
  return Date.UTC(year, month - 1, ...rest) - offset * 60_000;
}

function offsetOf(text: string): number {
  if (text.toUpperCase() === 'Z') return 0;
  const minutes = Number(text.slice(1, 3)) * 60 + Number(text.slice(-2));
  return text.startsWith('-') ? -minutes : minutes;
}

function noTime(given: string): CliError {
  return new CliError(
    ExitCode.usage,
    `--at ${given}: not a valid time; use e.g. 14:02, 14:02:11 or 2026-11-21T14:02:11+01:00`,
  );
}
