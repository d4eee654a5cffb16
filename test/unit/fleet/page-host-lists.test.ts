/** Lists and sums of several hosts as one. */
import { expect, it } from 'vitest';
import type { UnitHistory } from '../../../shared/schema/events/history.ts';
import type { UsageFigures } from '../../../shared/schema/usage/usage.ts';
import { type Activity, countsOf, sumActivities } from '../../../web/lib/history/activity.ts';
import { sumHistories } from '../../../web/lib/history/sum-histories.ts';
import { mergeNewest } from '../../../web/lib/hosts/merge-newest.ts';
import { notificationText } from '../../../web/lib/notify/notification-policy.ts';
import { keyOfHost, readKey } from '../../../web/lib/state/host-path.ts';
import { sumFigures, sumRows } from '../../../web/lib/usage/sum-usage.ts';
import { readWall, writeWall } from '../../../web/lib/wall/wall-address.ts';

/** Lists such as `9 7 5` or `9 7 …`: with more to read. */
function merged(...lists: string[]) {
  const { items, endedBy } = mergeNewest(
    lists.map((text) => {
      const words = text.split(' ').filter(Boolean);
      return { items: words.filter((word) => word !== '…'), isComplete: !words.includes('…') };
    }),
    (word) => (word === 'break' ? null : word),
  );
  return [items.map(({ item }) => item).join(' '), endedBy];
}

it('FW15 FW17 lists are merged by time, and end where one of them has to be read further', () => {
  expect(merged('9 5 1', '8 6 2')).toEqual(['9 8 6 5 2 1', null]);
  expect(merged('9 5 …', '8 6 2 1')).toEqual(['9 8 6 5', 0]);
  expect(merged('9 5', '8 6 …', '7 …')).toEqual(['9 8 7', 2]);
  expect(merged('9 5 …')).toEqual(['9 5', 0]);
  expect(merged('', '3 2')).toEqual(['3 2', null]);
  expect(merged('…', '3 2')).toEqual(['', 0]);
  expect(merged()).toEqual(['', null]);
});

it('FW15 a clock that was set back changes no order, and a break stays above what follows it', () => {
  expect(merged('3 9 1', '5 2')).toEqual(['5 3 9 2 1', null]);
  expect(merged('9 break 4', '8 5')).toEqual(['9 break 8 5 4', null]);
});

const AT = '2026-11-25T12:00:00.000Z';
const LATER = '2026-11-25T13:00:00.000Z';

function figures(cost: number | null, output: number | null, at = AT): UsageFigures {
  const witness = { sources: ['result' as const], latest_at: at };
  return {
    tokens:
      output === null
        ? null
        : { input: 1, output, cache_read: 0, cache_write: 0, ...witness, sources: ['transcript'] },
    cost: cost === null ? null : { micro_usd: cost, ...witness },
  };
}

it('FW16 usage of hosts is added up, as new as its newest part, and unknown where none knows it', () => {
  expect(sumFigures([figures(5, 10), figures(7, null, LATER)])).toEqual({
    tokens: {
      input: 1,
      output: 10,
      cache_read: 0,
      cache_write: 0,
      sources: ['transcript'],
      latest_at: AT,
    },
    cost: { micro_usd: 12, sources: ['result'], latest_at: LATER },
  });
  expect(sumFigures([figures(null, null), figures(null, null)])).toEqual(figures(null, null));

  const rows = sumRows([
    {
      name: 'alpha',
      rows: [
        { key: 'Mia', ...figures(5, 1) },
        { key: 'Ann', ...figures(9, 1) },
      ],
    },
    {
      name: 'build-1',
      rows: [
        { key: 'Mia', ...figures(6, 1) },
        { key: null, ...figures(null, 3) },
      ],
    },
  ]);
  expect(
    rows.map(({ key, cost, parts }) => [key, cost?.micro_usd, parts.map(({ name }) => name)]),
  ).toEqual([
    ['Mia', 11, ['alpha', 'build-1']],
    ['Ann', 9, ['alpha']],
    [null, undefined, ['build-1']],
  ]);
  expect(rows[0]?.parts.map((each) => each.figures.cost?.micro_usd)).toEqual([5, 6]);
});

function history(change: Partial<UnitHistory>): UnitHistory {
  const none = { working: 0, waiting: 0, quota: 0, stalled: 0 };
  return {
    as_of: LATER,
    since: AT,
    until: LATER,
    log_begins: AT,
    total: 0,
    units: [],
    next: null,
    seconds: none,
    activity: {
      step_ms: 900_000,
      counts: Object.fromEntries(Object.keys(none).map((share) => [share, [0, 0, 0, 0]])),
    },
    choices: { kinds: [], states: [], projects: [], people: [] },
    ...change,
  } as unknown as UnitHistory;
}

function worked(since: string, row: readonly number[]): UnitHistory['activity'] {
  const { activity } = history({ since });
  return { ...activity, counts: { ...activity.counts, working: [...row] } };
}

it('FW17 histories of hosts are added up, also when they were read some seconds apart', () => {
  const since = new Date(Date.parse(AT) + 5_000).toISOString();
  const one = history({
    total: 2,
    seconds: { working: 10, waiting: 1 } as never,
    activity: worked(AT, [1, 0, 2, 0]),
    choices: { kinds: [{ value: 'task', count: 2 }], states: [], projects: [], people: [] },
  });
  const other = history({
    since,
    log_begins: '2026-11-20T12:00:00.000Z',
    total: 3,
    seconds: { working: 5, waiting: 0 } as never,
    activity: worked(since, [0.5, 0, 0, 3]),
    choices: {
      kinds: [
        { value: 'task', count: 1 },
        { value: 'run', count: 2 },
      ],
      states: [],
      projects: [],
      people: [],
    },
  });
  expect(sumHistories([])).toBeNull();
  expect(sumHistories([one])).toBe(one);
  const sum = sumHistories([one, other]);
  expect(sum).toMatchObject({
    total: 5,
    log_begins: '2026-11-20T12:00:00.000Z',
    seconds: { working: 15, waiting: 1 },
    choices: {
      kinds: [
        { value: 'task', count: 3 },
        { value: 'run', count: 2 },
      ],
    },
  });
  expect(sum?.activity.counts.working).toEqual([1.5, 0, 2, 3]);
});

it('FW17 event counts of hosts are added up by time, not by their place', () => {
  const activity = (fromMs: number, signals: number[]): Activity => {
    return { fromMs, bucketMs: 60_000, head: 1, length: 4, counts: { 'auto.signal': signals } };
  };
  const sum = sumActivities([activity(0, [1, 0, 0, 2]), activity(60_400, [5, 6, 7, 8])]);
  expect(sum && countsOf(sum, 'auto.signal')).toEqual([1, 5, 6, 9]);
  expect(sumActivities([])).toBeNull();
});

it('FW14 a pane of another host is in the address of a wall with its host', () => {
  const text = '?follow=web,web@build-1&host=build-1';
  const wall = readWall(new URLSearchParams(text));
  expect([wall.follow, wall.host]).toEqual([['web', 'web@build-1'], 'build-1']);
  expect(writeWall(wall)).toBe(text);
  for (const host of [null, 'build-1']) {
    expect(readKey(keyOfHost(host, 'web'))).toEqual({ host, of: 'web' });
  }
});

it('FW18 a notification names the other host, and no host for one of its own', () => {
  const item = {
    session: 'web',
    subject: { kind: 'session', id: 'web' },
    reason: 'permission',
    title: 'Bash: deploy',
  } as const;
  expect(notificationText(item, 'build-1').title).toBe('web on build-1: Permission');
  expect(notificationText(item).title).toBe('web: Permission');
});
