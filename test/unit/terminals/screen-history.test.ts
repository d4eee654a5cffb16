/** Which snapshots of screens are stored, on a real database and a clock that a test moves. */
import { afterEach, expect, it } from 'vitest';
import { ScreenHistory } from '../../../server/sessions/showing/screen-history.ts';
import { ScreenStore } from '../../../server/sessions/showing/screen-store.ts';
import type { EventDraft } from '../../../shared/schema/events/events.ts';
import type { PastScreen } from '../../../shared/schema/past-screen.ts';
import { EventHome } from '../../support/events/event-home.ts';
import { until } from '../../support/house/until.ts';

const open: { dispose(): void }[] = [];
afterEach(() => {
  for (const one of open.splice(0)) one.dispose();
});

const snapshot = (text: string) => ({
  cols: 40,
  rows: 1,
  cursor: [0, 0] as [number, number],
  lines: [text],
});

function agent(state: 'working' | 'exited'): EventDraft {
  const since = '2026-01-01T00:00:00.000Z';
  const data = {
    agent: { state, cause: 'none', detail: null, witness: 'record', since, until: null } as const,
  };
  return { type: 'session.agent_changed', session: 'web', data };
}

function setting({ limit = 500, home = new EventHome(), isOpen = (): boolean => true } = {}) {
  const { database, log } = home.open();
  const { clock } = home;
  const store = new ScreenStore(database);
  const warnings: object[] = [];
  const note = (fact: object) => void warnings.push(fact);
  const behind: string[] = [];
  const history: ScreenHistory = new ScreenHistory({
    log,
    store,
    clock,
    limit,
    retentionDays: 7,
    isOpen,
    logger: { info: note, warn: note, error: note },
    capture: async (session) => {
      behind.push(session);
      history.offer(session, snapshot('$ '));
      return Promise.resolve();
    },
  });
  history.start();
  const dispose = () => {
    history.dispose();
    home[Symbol.dispose]();
  };
  open.push({ dispose });
  const texts = () =>
    store
      .kept('web')
      .map(({ number }) => store.get('web', number))
      .map((screen) => screen?.lines.join() ?? 'unreadable');
  const shows = (...wanted: string[]) =>
    until(`kept ${wanted.join()}`, () => texts().join() === wanted.join());
  const happens = (event: EventDraft) => log.write((append) => append(event));
  return { home, clock, log, database, store, history, warnings, behind, texts, shows, happens };
}

it('SH1 keeps a snapshot whose text differs, every five seconds at most, and the last one', async () => {
  const { clock, history, shows } = setting();
  history.offer('web', snapshot('one'));
  history.offer('web', snapshot('one'));
  clock.advance(1_000);
  await shows('one');
  for (const text of ['two', 'three', 'four']) {
    clock.advance(1_000);
    history.offer('web', snapshot(text));
  }
  clock.advance(999);
  await shows('one');
  clock.advance(1_001);
  await shows('one', 'four');
  // Back to what is already stored: nothing to store, and no timer runs for it.
  history.offer('web', snapshot('five'));
  history.offer('web', snapshot('four'));
  const pending = clock.pending;
  clock.advance(60_000);
  await shows('one', 'four');
  expect({ pending, after: clock.pending }).toEqual({ pending: 1, after: 1 });
});

it('SH2 keeps the snapshot before a moment at once, and marks one that is already kept', async () => {
  const { clock, history, store, shows, happens } = setting();
  history.offer('web', snapshot('one'));
  history.offer('web', snapshot('two'));
  happens({
    type: 'auto.stall_suspected',
    session: 'web',
    data: { captures: 4, still_seconds: 1, evidence: [] },
  });
  await shows('one', 'two');
  happens({
    type: 'session.input',
    session: 'web',
    data: { id: 1, delivery: 'held', source: 'person', reason: null },
  });
  happens(agent('working'));
  happens({
    type: 'attention.raised',
    session: 'web',
    data: { id: 'a', reason: 'stalled', title: 't', answerable: false },
  });
  await until('the mark', () => {
    clock.advance(1_000);
    return store.newest('web')?.moment === 'attention';
  });
  // Of the first only its text is reported.
  expect(store.kept('web').map(({ moment }) => moment)).toEqual([null, 'attention']);
  expect(store.newest('web')).toMatchObject({ seq: 0, lines: ['two'] });
});

it('SH2 SH11 captures once what an agent left on the screen, and keeps the snapshot before its end too', async () => {
  const { clock, store, history, behind, shows, happens } = setting();
  history.offer('web', snapshot('working'));
  history.offer('web', snapshot('Error: out of memory'));
  happens(agent('exited'));
  await shows('working', 'Error: out of memory', '$ ');
  expect(behind).toEqual(['web']);
  const data = { reason: 'crashed', restart_count: 1, delay_ms: 1 } as const;
  happens({ type: 'auto.restart_scheduled', session: 'web', data: { ...data, evidence: [] } });
  await until('the mark of the crash', () => {
    clock.advance(1_000);
    return (
      store
        .kept('web')
        .map(({ moment }) => moment)
        .join() === ',crash,agent'
    );
  });
});

it('SH3 a session never holds many more snapshots than its limit', async () => {
  const { clock, history, store } = setting({ limit: 40 });
  for (let n = 0; n < 200; n += 1) {
    history.offer('web', snapshot(`text ${n}`));
    clock.advance(5_000);
    await until('it is written', () => store.newest('web')?.lines[0] === `text ${n}`);
  }
  expect(store.kept('web').length).toBeLessThanOrEqual(65);
  expect(history.status()).toMatchObject({ limit: 40, lost: 0, bytes: store.totalBytes() });
});

it('SH4 a store that fails loses snapshots, which are counted, and is not used for a minute', async () => {
  const { clock, history, database, warnings, shows } = setting();
  history.offer('web', snapshot('one'));
  clock.advance(1_000);
  await shows('one');
  database.raw.exec('ALTER TABLE screens RENAME TO away');
  clock.advance(5_000);
  history.offer('web', snapshot('two'));
  clock.advance(1_000);
  await until('the loss', () => history.status().lost === 1);
  database.raw.exec('ALTER TABLE away RENAME TO screens');
  clock.advance(5_000);
  history.offer('web', snapshot('two'));
  clock.advance(1_000);
  expect({ lost: history.status().lost, warned: warnings.length }).toEqual({ lost: 2, warned: 1 });
  clock.advance(60_000);
  history.offer('web', snapshot('two'));
  clock.advance(1_000);
  await shows('one', 'two');
});

it('SH4 after a slow write other writers go first, and nothing is lost', async () => {
  const { clock, history, store, shows } = setting();
  const write = store.write.bind(store);
  store.write = (act) => {
    write(act);
    clock.advance(500);
  };
  history.offer('web', snapshot('one'));
  clock.advance(1_000);
  await shows('one');
  clock.advance(5_000);
  history.offer('web', snapshot('two'));
  clock.advance(4_500);
  await shows('one');
  clock.advance(1_000);
  await shows('one', 'two');
  expect(history.status().lost).toBe(0);
});

it('SH13 pending snapshots are written when the daemon ends, and read by the next', async () => {
  const home = new EventHome();
  const { history, store } = setting({ home });
  history.offer('web', snapshot('one'));
  history.offer('web', snapshot('two'));
  history.dispose();
  open.pop();
  const numbers = store.kept('web').map(({ number }) => number);
  const next = setting({ home });
  next.history.offer('web', snapshot('two'));
  next.history.offer('web', snapshot('three'));
  next.clock.advance(6_000);
  await next.shows('one', 'two', 'three');
  expect(
    next.store
      .kept('web')
      .slice(0, 2)
      .map(({ number }) => number),
  ).toEqual(numbers);
});

it('SH5 with the history turned off nothing is kept, and earlier snapshots are removed', () => {
  const home = new EventHome();
  const before = setting({ home });
  before.history.offer('web', snapshot('secret'));
  before.history.dispose();
  open.pop();
  const { history, texts } = setting({ limit: 0, home });
  history.offer('web', snapshot('secret'));
  expect({ texts: texts(), status: history.status() }).toEqual({
    texts: [],
    status: { limit: 0, bytes: 0, lost: 0 },
  });
});

it('SH6 a snapshot is found by its number and by a time, and a damaged one is not', async () => {
  const { clock, history, database, shows } = setting();
  const found: PastScreen[] = [];
  for (const text of ['one', 'two']) {
    history.offer('web', snapshot(text));
    clock.advance(10_000);
  }
  await shows('one', 'two');
  const at = (text: string) => history.find('web', text);
  found.push(
    at('1'),
    at('2026-01-01T00:00:00Z'),
    at('2026-01-01T00:00:09.999Z'),
    at('2100-01-01T00:00:00Z'),
  );
  expect(found.map(({ lines }) => lines[0])).toEqual(['one', 'one', 'one', 'two']);
  for (const wrong of ['3', '2025-12-31T23:59:59Z', 'yesterday', '', '-1', '1; DROP']) {
    expect(() => at(wrong)).toThrow(/the oldest is from 2026-01-01T00:00:00.000Z/);
  }
  expect(history.list('web', undefined, 1)).toMatchObject({ screens: [{ number: 2 }], next: 2 });
  expect(history.list('web', 2, 1)).toMatchObject({ screens: [{ number: 1 }], next: null });
  database.raw.exec("UPDATE screens SET picture = x'00ff' WHERE number = 1");
  expect(() => at('1')).toThrow('no such snapshot');
});

it('UL6 a screen that arrives after its session was closed is not held', async () => {
  const closed = new Set<string>();
  const { history, happens } = setting({ isOpen: () => closed.size === 0 });
  history.offer('web', snapshot('at work'));
  expect(history.held).toBe(1);
  closed.add('web');
  happens({ type: 'session.closed', session: 'web', data: { reason: 'requested' } });
  await until('nothing is held', () => history.held === 0);
  history.offer('web', snapshot('too late'));
  expect(history.held).toBe(0);
});
