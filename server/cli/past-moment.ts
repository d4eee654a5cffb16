import { CliError, ExitCode } from './exit-code.ts';
import type { Zoned } from './print/time-text.ts';

const CLOCK = /^(\d{1,2}):(\d{2})(?::(\d{2}))?$/;
const DATE =
  /^(\d{4})-(\d{2})-(\d{2})(?:[T ](\d{2}):(\d{2})(?::(\d{2})(?:\.(\d{3})\d*)?)?(Z|[+-]\d{2}:?\d{2})?)?$/i;

const DAY_MS = 86_400_000;
/** Of what is left out: hour, minute, second, millisecond. */
const START: readonly [string, string, string, string] = ['0', '0', '0', '0'];
const END: typeof START = ['23', '59', '59', '999'];

/** Year, month, day, hour, minute, second, millisecond, as a calendar and a clock show them. */
type Wall = readonly [number, number, number, number, number, number, number];

/**
 * `given` is a time as `timeIn` prints it, ISO 8601, a time of day (its latest occurrence), or the
 * number of a snapshot; gives it as the API takes it. Without an offset it is in the zone of this
 * shell, or UTC. A time without seconds means the end of its minute, one without a fraction the end
 * of its second, so that a printed time includes what happened in it. Throws a CliError (usage).
 */
export function pastMoment(given: string, zoned: Zoned, now = new Date()): string {
  return /^\d{1,15}$/.test(given) ? given : momentIn(given, '--at', END, zoned, now);
}

/** The same for the beginning of an interval: a time means where its minute, or its day, begins. */
export function momentSince(given: string, zoned: Zoned, now = new Date()): string {
  return momentIn(given, '--since', START, zoned, now);
}

/** The same for the end of an interval. */
export function momentUntil(given: string, zoned: Zoned, now = new Date()): string {
  return momentIn(given, '--until', START, zoned, now);
}

/** The next occurrence of a time of day, or any other time. */
export function momentAhead(given: string, zoned: Zoned, now = new Date()): string {
  const moment = momentUntil(given, zoned, now);
  const isPast = CLOCK.test(given) && Date.parse(moment) <= now.getTime();
  return isPast ? momentUntil(given, zoned, new Date(now.getTime() + DAY_MS)) : moment;
}

function momentIn(
  given: string,
  option: string,
  rest: typeof START,
  { utc = false }: Zoned,
  now: Date,
): string {
  const zone = utc ? 0 : null;
  const fail = () => noTime(option, given);
  const clock = CLOCK.exec(given);
  if (clock !== null) {
    const wall = wallOf([...today(now, utc), ...clock.slice(1)], rest);
    if (wall === null) throw fail();
    return latest(wall, zone, now);
  }
  const date = DATE.exec(given);
  const wall = date === null ? null : wallOf(date.slice(1, 8), rest);
  if (date === null || wall === null) throw fail();
  const offset = date[8] === undefined ? zone : offsetOf(date[8]);
  return new Date(momentOf(wall, offset)).toISOString();
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

/** Null for what no calendar and clock shows. */
function wallOf(parts: readonly (string | undefined)[], rest: typeof START): Wall | null {
  const [year, month, day, hour = rest[0], minute = rest[1], second = rest[2], ms = rest[3]] =
    parts;
  const wall = [year, month, day, hour, minute, second, ms].map(Number) as unknown as Wall;
  const [, , , hours, minutes, seconds] = wall;
  const date = new Date(Date.UTC(wall[0], wall[1] - 1, wall[2]));
  const isDate = date.getUTCMonth() === wall[1] - 1 && date.getUTCDate() === wall[2];
  return !isDate || hours > 23 || minutes > 59 || seconds > 59 ? null : wall;
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

function noTime(option: string, given: string): CliError {
  return new CliError(
    ExitCode.usage,
    `${option} ${given}: not a valid time; use e.g. 14:02, 14:02:11 or 2026-11-21T14:02:11+01:00`,
  );
}
