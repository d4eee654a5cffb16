/** What a host reports of the last weeks, and what other hosts read in it. */
import { expect, it } from 'vitest';
import { daysOfPeople, type PersonDay, usedSince } from '../../../server/usage/days-of-people.ts';
import { DAYS_SHARED } from '../../../shared/schema/fleet.ts';

const TODAY = '2026-03-02';
const used = { day: TODAY, cost: 1, tokens: 2, minutes: 3 };

function day(person: string, daysAgo: number, tokens: number): PersonDay {
  const at = new Date(Date.parse(TODAY) - daysAgo * 86_400_000);
  return { day: at.toISOString().slice(0, 10), person, cost: 1, tokens, minutes: 0 };
}

it('BG13 a report has the days of each person, the newest first, without older ones', () => {
  const rows = [day('Ada', 0, 5), day('Ada', 2, 7), day('Bo', 1, 99), day('Bo', DAYS_SHARED, 9)];
  const people = daysOfPeople(rows, TODAY);
  expect(people).toEqual([
    { person: 'Bo', cost: [0, 1], tokens: [0, 99], minutes: [0, 0] },
    { person: 'Ada', cost: [1, 0, 1], tokens: [5, 0, 7], minutes: [0, 0, 0] },
  ]);
  expect(usedSince({ used, people }, '2026-03-01', null).tokens).toBe(104);
  expect(usedSince({ used, people }, '2026-02-28', 'Ada').tokens).toBe(12);
  expect(usedSince({ used, people }, '', null).tokens).toBe(111);
  expect(usedSince({ used, people }, '2026-03-03', null).tokens).toBe(0);
});

it('BG13 a report stays small, and its sum right', () => {
  const rows = Array.from({ length: 40 }, (_, person) =>
    Array.from({ length: DAYS_SHARED }, (__, ago) => day(`person-${person}`, ago, person * 1_000)),
  ).flat();
  const people = daysOfPeople(rows, TODAY);
  expect(JSON.stringify(people).length).toBeLessThan(6 * 1024);
  expect(people.map(({ person }) => person)).toContain('person-39');
  expect(people.map(({ person }) => person)).toContain('');
  const sum = rows.reduce((total, { tokens }) => total + tokens, 0);
  expect(usedSince({ used, people }, '', null).tokens).toBe(sum);
});

it('BG13 an older version says what was used that day, not by whom', () => {
  const share = { used, people: [] };
  expect(usedSince(share, TODAY, null)).toMatchObject({ tokens: 2 });
  expect(usedSince(share, '', null)).toMatchObject({ tokens: 2 });
  expect(usedSince(share, TODAY, 'Ada').tokens).toBe(0);
  expect(usedSince(share, '2026-03-03', null).tokens).toBe(0);
});
