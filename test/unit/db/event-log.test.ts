/** The log of facts on a real database file. */
import { expect, it } from 'vitest';
import { SessionStore } from '../../../server/sessions/session-store.ts';
import type { EventLog } from '../../../server/events/event-log.ts';
import type { EventRecord } from '../../../shared/schema/events/events.ts';
import { EventHome, fill, rowsOf, sampleEvent } from '../../support/events/event-home.ts';

const DAY_MS = 86_400_000;

const SESSION = {
  name: 'web',
  cwd: '/tmp',
  terminal: 'tmux',
  status: 'open',
  owner: null,
  created_at: '2026-01-01T00:00:00.000Z',
  identity: null,
} as const;

it('EV1 keeps a change and its event together', () => {
  using home = new EventHome();
  const { database, log } = home.open();
  const sessions = new SessionStore(database);
  log.write((append) => {
    sessions.insert(SESSION);
    append(sampleEvent(0));
  });
  expect({ sessions: sessions.list(), head: log.head, rows: rowsOf(database) }).toEqual({
    sessions: [SESSION],
    head: 1,
    rows: [{ seq: 1, type: 'session.closed', session: 'even' }],
  });
});

it('EV1 keeps neither state nor event when the change fails after both', () => {
  using home = new EventHome();
  const { database, log } = home.open();
  const sessions = new SessionStore(database);
  const change = () =>
    log.write((append) => {
      append(sampleEvent(0));
      sessions.insert(SESSION);
      throw new Error('the third step fails');
    });
  expect(change).toThrow('the third step fails');
  expect(kept(log, sessions)).toEqual({ sessions: [], head: 0, events: [] });
});

it('EV1 keeps neither state nor event when the database refuses the change', () => {
  using home = new EventHome();
  const { database, log } = home.open();
  const sessions = new SessionStore(database);
  const insert = () =>
    log.write((append) => {
      append(sampleEvent(0));
      sessions.insert(SESSION);
    });
  insert();
  expect(insert).toThrow(/UNIQUE/);
  expect(kept(log, sessions)).toEqual({ sessions: [SESSION], head: 1, events: [1] });
});

it('EV1 keeps neither state nor event when the disk is full, and continues when it has space', () => {
  using home = new EventHome();
  const { database, log } = home.open();
  const sessions = new SessionStore(database);
  const pages = Number(database.raw.pragma('page_count', { simple: true }));
  database.raw.pragma(`max_page_count = ${pages}`);
  const grow = () =>
    log.write((append) => {
      sessions.insert(SESSION);
      for (let n = 0; n < 500; n += 1) append(sampleEvent(n));
    });
  expect(grow).toThrow(expect.objectContaining({ code: 'storage_full' }));
  expect(kept(log, sessions)).toEqual({ sessions: [], head: 0, events: [] });
  database.raw.pragma(`max_page_count = ${pages + 1_000}`);
  grow();
  expect({ head: log.head, rows: rowsOf(database).length }).toEqual({ head: 500, rows: 500 });
});

it('EV1 publishes nothing for a change that failed', async () => {
  using home = new EventHome();
  const { log } = home.open();
  let calls = 0;
  log.listen(() => (calls += 1));
  expect(() =>
    log.write((append) => {
      append(sampleEvent(0));
      throw new Error('no');
    }),
  ).toThrow();
  await turn();
  expect(calls).toBe(0);
});

it('EV2 counts by one, also over a change that failed', () => {
  using home = new EventHome();
  const { database, log } = home.open();
  fill(log, 3);
  expect(() =>
    log.write((append) => {
      append(sampleEvent(0));
      throw new Error('no');
    }),
  ).toThrow();
  fill(log, 2);
  expect(rowsOf(database).map(({ seq }) => seq)).toEqual([1, 2, 3, 4, 5]);
});

it('EV2 uses no seq twice after retention removed every event and the database was reopened', () => {
  using home = new EventHome();
  const first = home.open();
  fill(first.log, 10);
  home.clock.advance(8 * DAY_MS);
  expect(first.log.prune()).toBe(10);
  const { database, log } = home.open();
  expect({ head: log.head, oldest: log.oldest }).toEqual({ head: 10, oldest: 11 });
  fill(log, 1);
  expect(rowsOf(database).map(({ seq }) => seq)).toEqual([11]);
});

it('EV16 a database keeps its epoch when reopened, and another database has another one', () => {
  using home = new EventHome();
  using other = new EventHome();
  const epoch = home.open().log.epoch;
  expect({ again: home.open().log.epoch, other: other.open().log.epoch === epoch }).toEqual({
    again: epoch,
    other: false,
  });
  expect(epoch).toMatch(/^[a-z0-9]{20}$/);
});

it('EV9 removes events older than the configured days', () => {
  using home = new EventHome();
  const { database, log } = home.open({ days: 2 });
  fill(log, 3);
  home.clock.advance(DAY_MS);
  fill(log, 4);
  home.clock.advance(DAY_MS + 1);
  expect({ removed: log.prune(), oldest: log.oldest, again: log.prune() }).toEqual({
    removed: 3,
    oldest: 4,
    again: 0,
  });
  expect(rowsOf(database).map(({ seq }) => seq)).toEqual([4, 5, 6, 7]);
});

it('EV9 removes events beyond the configured number', () => {
  using home = new EventHome();
  const { database, log } = home.open({ maxEvents: 100 });
  fill(log, 350);
  expect({ removed: log.prune(), oldest: log.oldest }).toEqual({ removed: 250, oldest: 251 });
  expect(rowsOf(database)).toHaveLength(100);
});

it('EV9 removes a large backlog in rounds', () => {
  using home = new EventHome();
  const { database, log } = home.open({ maxEvents: 100 });
  fill(log, 25_000);
  const rounds = [log.prune(), log.prune(), log.prune(), log.prune()];
  expect({ rounds, kept: rowsOf(database).length }).toEqual({
    rounds: [10_000, 10_000, 4_900, 0],
    kept: 100,
  });
});

it('EV9 gives no event that was removed, from memory or from disk', () => {
  using home = new EventHome();
  const { log } = home.open({ maxEvents: 100 });
  fill(log, 200);
  log.prune();
  expect(log.read(0, 1_000).map(({ seq }) => seq)).toEqual(numbers(101, 200));
  expect(log.read(150, 3).map(({ seq }) => seq)).toEqual([151, 152, 153]);
});

it('EV3 reads the same records from memory and from disk', () => {
  using home = new EventHome();
  const { log } = home.open();
  fill(log, 300);
  const fromMemory = log.read(0, 300);
  expect(home.open().log.read(0, 300)).toEqual(fromMemory);
});

it('EV3 keeps the order when more is written than memory holds', () => {
  using home = new EventHome();
  const { log } = home.open();
  fill(log, 20_000);
  const pages: number[] = [];
  for (let after = 0; after < 20_000; after = pages.at(-1) ?? after) {
    pages.push(...log.read(after, 700).map(({ seq }) => seq));
  }
  expect(pages).toEqual(numbers(1, 20_000));
});

it('EV10 notifies a listener once of all that one tick wrote, after it was stored', async () => {
  using home = new EventHome();
  const { log } = home.open();
  const heads: number[] = [];
  log.listen(() => heads.push(log.head));
  fill(log, 2);
  fill(log, 3);
  expect(heads).toEqual([]);
  await turn();
  fill(log, 1);
  await turn();
  expect(heads).toEqual([5, 6]);
});

it('EV3 notifies a listener that left no more', async () => {
  using home = new EventHome();
  const { log } = home.open();
  let calls = 0;
  const leave = log.listen(() => (calls += 1));
  fill(log, 1);
  leave();
  await turn();
  expect(calls).toBe(0);
});

it('EV25 notifies the newest listener first', async () => {
  using home = new EventHome();
  const { log } = home.open();
  const notified: string[] = [];
  log.listen(() => notified.push('own reader'));
  log.listen(() => notified.push('subscribers'));
  fill(log, 1);
  await turn();
  expect(notified).toEqual(['subscribers', 'own reader']);
});

function kept(log: EventLog, sessions: SessionStore) {
  const events = log.read(0, 1_000).map(({ seq }) => seq);
  return { sessions: sessions.list(), head: log.head, events };
}

function numbers(first: number, last: number): number[] {
  return Array.from({ length: last - first + 1 }, (_, index) => first + index);
}

async function turn(): Promise<void> {
  await new Promise((resolve) => setImmediate(resolve));
  await new Promise((resolve) => setImmediate(resolve));
}

it('EV15 EV24 every event has a subject, in the log and in an index', () => {
  using home = new EventHome();
  const { database, log } = home.open();
  const person = { id: 'p1', name: 'Ada', role: 'viewer' } as const;
  log.write((append) => {
    append(sampleEvent(0));
    append(sampleEvent(1));
    append(sampleEvent(3));
    append({ type: 'task.deleted', data: { kept: [], task: 'fix' } });
    append({ type: 'people.invited', data: person });
    append({
      type: 'attention.cleared',
      data: { id: 'a', task: 'fix', reason: 'question', outcome: 'gone', by: null, answer: null },
    });
  });
  const subjects = log.read(0, 10).map(({ subject, json }) => {
    const { kind, id } = (JSON.parse(json) as EventRecord).subject;
    expect(`${kind}:${id}`).toBe(subject);
    return subject;
  });
  expect(subjects).toEqual([
    'session:even',
    'loop:odd',
    'daemon:local',
    'task:fix',
    'person:p1',
    'task:fix',
  ]);
  expect(log.readAmong({ kind: 'task', id: 'fix' }, 0, 10).map(({ seq }) => seq)).toEqual([4, 6]);
  expect(log.typesBefore({ kind: 'task', id: 'fix' }, 6, 10)).toEqual([
    { seq: 4, type: 'task.deleted' },
  ]);
  const plan = database.raw
    .prepare(
      `EXPLAIN QUERY PLAN SELECT * FROM events
       WHERE subject_kind = 'task' AND subject_id = 'fix' AND seq > 0 ORDER BY seq`,
    )
    .all();
  expect(JSON.stringify(plan)).toContain('events_subject_seq');
});
