/** What people used in the last weeks, small enough for the report of a host. Pure. */
import type { BudgetMeasure } from '../../shared/schema/usage/budget.ts';
import { DAYS_SHARED, type PlanShare } from '../../shared/schema/fleet.ts';

/** In millionths of a US dollar, output tokens and milliseconds. */
type Used = Record<BudgetMeasure, number>;
export type PersonDay = { day: string; person: string } & Used;
type PersonUse = PlanShare['people'][number];

const DAY_MS = 86_400_000;
/** A report has 16 KB, and 10 of it may be the repositories and labels of the host. */
const MAX_BYTES = 3 * 1024;

/**
 * By person, who used most first. Those who do not fit are one, without a name, so that the sum of
 * all stays right.
 */
export function daysOfPeople(rows: readonly PersonDay[], today: string): PersonUse[] {
  let bytes = 0;
  const all = byName(rows, today, ({ person }) => person);
  const named = all.filter((use) => {
    bytes += Buffer.byteLength(JSON.stringify(use));
    return bytes <= MAX_BYTES;
  });
  if (named.length === all.length) return all;
  const names = new Set(named.map(({ person }) => person));
  return byName(rows, today, ({ person }) => (names.has(person) ? person : ''));
}

function byName(
  rows: readonly PersonDay[],
  today: string,
  nameOf: (row: PersonDay) => string,
): PersonUse[] {
  const people = new Map<string, PersonUse>();
  for (const row of rows) {
    const ago = daysBetween(row.day, today);
    if (ago < 0 || ago >= DAYS_SHARED) continue;
    const person = nameOf(row);
    const use = people.get(person) ?? { person, cost: [], tokens: [], minutes: [] };
    people.set(person, use);
    for (const measure of ['cost', 'tokens', 'minutes'] as const) {
      const days = use[measure];
      while (days.length <= ago) days.push(0);
      days[ago] = (days[ago] ?? 0) + row[measure];
    }
  }
  return [...people.values()].sort((one, other) => sum(other.tokens) - sum(one.tokens));
}

/** Since a day, included, or in all the weeks (''), by one person, or by everyone: null. */
export function usedSince(
  { used, people }: Pick<PlanShare, 'used' | 'people'>,
  since: string,
  person: string | null,
): Used {
  const days = since === '' ? DAYS_SHARED : daysBetween(since, used.day) + 1;
  // An older version says what was used that day, not by whom.
  if (people.length === 0) return days > 0 && person === null ? used : NOTHING;
  const who = people.filter((use) => person === null || use.person === person);
  const total = (measure: BudgetMeasure): number =>
    sum(who.map((use) => sum(use[measure].slice(0, Math.max(0, days)))));
  return { cost: total('cost'), tokens: total('tokens'), minutes: total('minutes') };
}

const NOTHING: Used = { cost: 0, tokens: 0, minutes: 0 };

function sum(amounts: readonly number[]): number {
  return amounts.reduce((total, amount) => total + amount, 0);
}

function daysBetween(from: string, to: string): number {
  return Math.round((Date.parse(to) - Date.parse(from)) / DAY_MS);
}
