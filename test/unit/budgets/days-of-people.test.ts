/** What a host reports of the last weeks, and what other hosts read in it. */
import { expect, it } from 'vitest';
import { daysOfPeople, type PersonDay, usedSince } from '../../../server/usage/days-of-people.ts';
import { MAX_FACTS_BYTES } from '../../../server/fleet/nats/presence.ts';
import { EVENT_SCHEMA } from '../../../shared/rules/wire.ts';
import { DAYS_SHARED, HostFacts } from '../../../shared/schema/fleet.ts';

const TODAY = '2026-03-02';
const LATEST = '2026-03-02T23:59:59.999Z';
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

it('BG13 the report of a host with everything it may have is one that others take', () => {
  const rows = Array.from({ length: 40 }, (_, person) =>
    Array.from({ length: DAYS_SHARED }, (__, ago) => day(`人-${person}`, ago, person * 1_000)),
  ).flat();
  const people = daysOfPeople(rows, TODAY);
  const reading = {
    used_percent: 33.333_333_333,
    resets_at: LATEST,
    read_at: LATEST,
    session: 'x'.repeat(200),
  };
  const facts: HostFacts = {
    id: 'x'.repeat(40),
    name: 'x'.repeat(32),
    instance: 'x'.repeat(40),
    version: 'x'.repeat(40),
    started_at: LATEST,
    labels: Array.from({ length: 32 }, () => 'x'.repeat(32)),
    epoch: 'x'.repeat(40),
    head: Number.MAX_SAFE_INTEGER,
    free_slots: 1_000,
    event_schema: EVENT_SCHEMA,
    queue_length: 1_000,
    plan_left: 33.333_333_333,
    plan: {
      account: 'x'.repeat(64),
      windows: { five_hour: reading, weekly: reading },
      at_work: 1_000,
      used,
      people,
    },
    repositories: Array.from({ length: 250 }, () => 'a'.repeat(32)),
  };
  expect(HostFacts.parse(facts)).toEqual(facts);
  expect(Buffer.byteLength(JSON.stringify(facts))).toBeLessThan(MAX_FACTS_BYTES);
  expect(people.map(({ person }) => person)).toContain('人-39');
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
