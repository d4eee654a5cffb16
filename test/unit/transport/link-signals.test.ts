/** Signals that live as long as the daemon keep nothing that has ended. */
import { getEventListeners } from 'node:events';
import { expect, it } from 'vitest';
import { eventSource } from '../../../server/api/event-source.ts';
import { EventReaders } from '../../../server/api/event-readers.ts';
import { eventsPage } from '../../../server/api/long-poll.ts';
import { hookRoutes } from '../../../server/api/routes/sessions/hook-routes.ts';
import { linkSignals } from '../../../server/lib/link-signals.ts';
import { EventHome } from '../../support/events/event-home.ts';

const REQUESTS = 200;
const FILTER = { types: ['*'], sessions: null };

/** What a signal keeps of its followers: listeners, and what `AbortSignal.any` leaves. */
function keptBy(signal: AbortSignal): { listeners: number; dependants: number } {
  const symbol = Object.getOwnPropertySymbols(signal).find(
    ({ description }) => description === 'kDependantSignals',
  );
  const dependants: unknown = symbol === undefined ? undefined : Reflect.get(signal, symbol);
  return {
    listeners: getEventListeners(signal, 'abort').length,
    dependants: dependants instanceof Set ? dependants.size : 0,
  };
}

it('UL6 a linked signal follows its sources until it is released', () => {
  const [one, other] = [new AbortController(), new AbortController()];
  const first = linkSignals(one.signal, other.signal);
  const second = linkSignals(one.signal, other.signal);
  second.release();
  other.abort('enough');
  expect([first.signal.reason, second.signal.aborted]).toEqual(['enough', false]);
  expect(linkSignals(one.signal, other.signal).signal.reason).toBe('enough');
  first.release();
  expect(keptBy(other.signal).listeners).toBe(0);
});

it('UL6 long polls, streams and hooks that came and went leave nothing in signals that stay', async () => {
  using home = new EventHome();
  const { log } = home.open();
  const { clock } = home;
  const readers = new EventReaders();
  const stopped = new AbortController().signal;
  const none = async () => Promise.resolve(null);
  const hooks = hookRoutes({ receiver: { receive: none, receiveFound: none }, stopped });
  const nothing = { listeners: 0, dependants: 0 };
  for (let n = 0; n < REQUESTS; n += 1) {
    log.write((append) => append({ type: 'daemon.stopping', data: {} }));
    const cursor = { after: 0, epoch: null };
    const page = { cursor, filter: FILTER, limit: 1, waitMs: 1_000, signal: stopped };
    await eventsPage(log, clock, readers, page);
    const stream = eventSource(log, clock, readers, { cursor, filter: FILTER }, stopped);
    const reader = stream.body?.getReader();
    await reader?.read();
    await reader?.read();
    await reader?.cancel();
    const run = { session: 'web', runId: 'run' };
    const request = new Request('http://localhost/api/hooks');
    await hooks.receiveHook({ params: {}, query: {}, body: {}, run, request } as never);
  }
  expect(keptBy(stopped)).toEqual(nothing);
});
