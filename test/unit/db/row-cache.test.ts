/** Answers kept between two writes, on a real database. */
import { expect, it } from 'vitest';
import { RowCache } from '../../../server/db/row-cache.ts';
import { SessionStore, type StoredSession } from '../../../server/sessions/session-store.ts';
import { EventHome } from '../../support/events/event-home.ts';

const WEB: StoredSession = {
  name: 'web',
  cwd: '/tmp',
  terminal: 'tmux',
  status: 'open',
  owner: null,
  created_at: '2026-01-01T00:00:00.000Z',
  identity: null,
};

it('ST11 what a poll asks is read once until the table is written', () => {
  using home = new EventHome();
  const { database } = home.open();
  const cache = new RowCache<{ count: number }>(database);
  let reads = 0;
  const ask = () => cache.get('web', () => ({ count: (reads += 1) })).count;
  expect([ask(), ask()]).toEqual([1, 1]);
  cache.written();
  expect([ask(), ask()]).toEqual([2, 2]);
});

it('ST11 each change of a session is seen by the next question', () => {
  using home = new EventHome();
  const sessions = new SessionStore(home.open().database);
  const seen = () => sessions.get('web')?.status ?? null;
  const before = seen();
  sessions.insert(WEB);
  const inserted = seen();
  sessions.patch('web', { status: 'closing' });
  const patched = seen();
  sessions.remove('web');
  expect([before, inserted, patched, seen()]).toEqual([null, 'open', 'closing', null]);
});

it('ST11 what a transaction that failed had written is not remembered', () => {
  using home = new EventHome();
  const { database, log } = home.open();
  const sessions = new SessionStore(database);
  sessions.insert(WEB);
  let within: string | undefined;
  const change = () =>
    log.write(() => {
      sessions.patch('web', { status: 'closing' });
      within = sessions.get('web')?.status;
      throw new Error('the next step fails');
    });
  expect(change).toThrow('the next step fails');
  expect({ within, after: sessions.get('web')?.status }).toEqual({
    within: 'closing',
    after: 'open',
  });
});
