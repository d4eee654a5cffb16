/** Hours of the reserve as people write them: `mon-fri 8-18 50/30`. */
import type { ReserveHours } from '../schema/usage/reserve.ts';

const DAYS = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'] as const;
const LINE =
  /^(?<days>[a-z,-]+)\s+(?<from>\d{1,2})-(?<to>\d{1,2})\s+(?<five>\d{1,3}(?:\.\d+)?)(?:\/(?<weekly>\d{1,3}(?:\.\d+)?))?$/i;

export const RESERVE_HOURS_HINT =
  'days, hours and the share kept of the 5-hour and the weekly window, e.g. mon-fri 8-18 50/30';

/** Null when it is not written so, or ends before it begins. One share counts for both windows. */
export function readReserveHours(line: string): ReserveHours | null {
  const found = LINE.exec(line.trim())?.groups;
  if (found === undefined) return null;
  const days = readDays(found['days'] ?? '');
  const [from, to] = [Number(found['from']), Number(found['to'])];
  const fiveHour = Number(found['five']);
  const weekly = Number(found['weekly'] ?? found['five']);
  if (days === null || from >= to || to > 24 || fiveHour > 100 || weekly > 100) return null;
  return { days, from, to, five_hour: fiveHour, weekly };
}

/** The same line, in its shortest form. */
export function reserveHoursText({ days, from, to, five_hour, weekly }: ReserveHours): string {
  const share = five_hour === weekly ? `${five_hour}` : `${five_hour}/${weekly}`;
  return `${daysText(days)} ${from}-${to} ${share}`;
}

function readDays(text: string): number[] | null {
  const days = new Set<number>();
  if (text.toLowerCase() === 'daily') return DAYS.map((_, index) => index + 1);
  for (const part of text.toLowerCase().split(',')) {
    const [first = '', last = first, ...more] = part.split('-');
    const [from, to] = [numberOf(first), numberOf(last)];
    if (from === 0 || to === 0 || more.length > 0) return null;
    // Over the weekend as well: `sat-mon`.
    for (let day = from; ; day = (day % 7) + 1) {
      days.add(day);
      if (day === to) break;
    }
  }
  return [...days].sort((one, other) => one - other);
}

function numberOf(name: string): number {
  return DAYS.findIndex((day) => day === name.slice(0, 3) && name.length >= 3) + 1;
}

function daysText(days: readonly number[]): string {
  const sorted = [...new Set(days)].sort((one, other) => one - other);
  if (sorted.length === 7) return 'daily';
  const spans: [number, number][] = [];
  for (const day of sorted) {
    const last = spans.at(-1);
    if (last !== undefined && last[1] === day - 1) last[1] = day;
    else spans.push([day, day]);
  }
  const name = (day: number) => DAYS[day - 1] ?? '';
  return spans
    .map(([from, to]) => (from === to ? name(from) : `${name(from)}-${name(to)}`))
    .join(',');
}
