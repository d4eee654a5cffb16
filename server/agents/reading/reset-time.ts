/**
 * When a limit ends, from a client's text: `1:14pm (UTC)`, `Nov 22, 1:45pm`, `1pm (Europe/Berlin)`.
 */
import type { ScreenReading } from '../screen/screen-reading.ts';

const WORDS =
  /^(?:([A-Z][a-z]{2})[a-z]* (\d{1,2})(?:,? (?:at )?|,? ?$))?(?:(\d{1,2})(?::(\d{2}))? ?([ap])?\.?m?\.?)? ?(?:\(([A-Za-z0-9_+/-]{1,40})\))?\.?$/i;
const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];
const DAY_MS = 86_400_000;
/** Text stays on a screen after its time: one that passed less long ago is over, not a day away. */
const JUST_PASSED_MS = 10 * 60_000;

interface Wall {
  year: number;
  month: number;
  day: number;
  hour: number;
  minute: number;
}

const COUNTDOWN = /\bretry(?:ing)? in (?:(\d{1,3})h ?)?(?:(\d{1,3})m ?)?(?:(\d{1,4}) ?s)?/i;

/**
 * The next such time after `nowMs`, when the text was read; milliseconds since 1970. Null when the
 * text is no time. Without a zone it means `localZone`. A time of day that passed less than ten
 * minutes ago is returned as it is. A date that passed less than half a year ago is over, not a
 * year away: null.
 */
export function parseResetTime(
  text: string,
  nowMs: number,
  localZone: string = Intl.DateTimeFormat().resolvedOptions().timeZone,
): number | null {
  const match = WORDS.exec(text.slice(0, 100).trim());
  if (match === null || (match[1] === undefined && match[3] === undefined)) return null;
  const [, monthName, dayText, hourText, minuteText, half, zoneText] = match;
  const format = zoneFormat(zoneText ?? localZone);
  const hour = hourOf(Number(hourText ?? 0), half?.toLowerCase());
  const minute = Number(minuteText ?? 0);
  if (format === null || hour === null || minute > 59) return null;
  const today = wallOf(nowMs, format);
  if (monthName === undefined) return nextDaily({ ...today, hour, minute }, nowMs, format);
  const month = MONTHS.indexOf(monthName.toLowerCase());
  const day = Number(dayText);
  if (month === -1 || day < 1 || day > 31) return null;
  const wall = { year: today.year, month, day, hour, minute };
  const thisYear = epochOf(wall, format);
  if (thisYear > nowMs) return thisYear;
  return nowMs - thisYear < 183 * DAY_MS ? null : epochOf({ ...wall, year: wall.year + 1 }, format);
}

/** The time a reading counts down to, or null. */
export function untilOf({ reading }: { reading: ScreenReading }, takenAtMs: number): number | null {
  if (reading.untilText !== null) return parseResetTime(reading.untilText, takenAtMs);
  const match = COUNTDOWN.exec(reading.detail ?? '');
  if (match === null) return null;
  const [hours = 0, minutes = 0, seconds = 0] = match.slice(1).map((part) => Number(part || 0));
  const total = hours * 3600 + minutes * 60 + seconds;
  return total === 0 ? null : takenAtMs + total * 1000;
}

function nextDaily(wall: Wall, nowMs: number, format: Intl.DateTimeFormat): number {
  const today = epochOf(wall, format);
  if (today > nowMs - JUST_PASSED_MS) return today;
  const tomorrow = epochOf({ ...wall, day: wall.day + 1 }, format);
  // The clock was set forward over that time.
  return tomorrow > nowMs ? tomorrow : epochOf({ ...wall, day: wall.day + 2 }, format);
}

function hourOf(hour: number, half: string | undefined): number | null {
  if (half === undefined) return hour < 24 ? hour : null;
  if (hour < 1 || hour > 12) return null;
  return (hour % 12) + (half === 'p' ? 12 : 0);
}

function zoneFormat(timeZone: string): Intl.DateTimeFormat | null {
  const number = 'numeric';
  try {
    return new Intl.DateTimeFormat('en-US', {
      timeZone,
      hourCycle: 'h23',
      year: number,
      month: number,
      day: number,
      hour: number,
      minute: number,
      second: number,
    });
  } catch {
    return null;
  }
}

function wallOf(epochMs: number, format: Intl.DateTimeFormat): Wall {
  const parts = new Map(
    format.formatToParts(epochMs).map(({ type, value }) => [type, Number(value)]),
  );
  const part = (type: Intl.DateTimeFormatPartTypes) => parts.get(type) ?? 0;
  return {
    year: part('year'),
    month: part('month') - 1,
    day: part('day'),
    hour: part('hour'),
    minute: part('minute'),
  };
}

/** The offset depends on the result, so it is computed twice. */
function epochOf(wall: Wall, format: Intl.DateTimeFormat): number {
  const target = asUtc(wall);
  const first = target - offsetAt(target, format);
  return target - offsetAt(first, format);
}

function offsetAt(epochMs: number, format: Intl.DateTimeFormat): number {
  return asUtc(wallOf(epochMs, format)) - Math.floor(epochMs / 60_000) * 60_000;
}

function asUtc({ year, month, day, hour, minute }: Wall): number {
  return Date.UTC(year, month, day, hour, minute);
}
