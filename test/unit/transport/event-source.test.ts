/** What a stream of events leaves behind when its reader disconnects: nothing. */
import { expect, it } from 'vitest';
import { eventSource } from '../../../server/api/event-source.ts';
import { EventReaders } from '../../../server/api/event-readers.ts';
import type { EventLog } from '../../../server/events/event-log.ts';
import { EventHome, fill } from '../../support/events/event-home.ts';
import { until } from '../../support/house/until.ts';

/** The number of listeners of a log from now on. */
function listenersOf(log: EventLog): () => number {
  const listen = log.listen.bind(log);
  let count = 0;
  log.listen = (listener) => {
    const stop = listen(listener);
    count += 1;
    return () => {
      count -= 1;
      return stop();
    };
  };
  return () => count;
}

function opened(home: EventHome) {
  const { log } = home.open();
  fill(log, 3);
  const listeners = listenersOf(log);
  const readers = new EventReaders();
  const request = {
    cursor: { after: 0, epoch: null },
    filter: { types: ['*'], sessions: null },
  };
  const { signal } = new AbortController();
  const { body } = eventSource(log, home.clock, readers, request, signal);
  if (body === null) throw new Error('a stream has a body');
  return { reader: body.getReader(), readers, listeners };
}

it('EV8 EV18 a stream that is cut because it is not read stops listening', async () => {
  using home = new EventHome();
  const { reader, readers, listeners } = opened(home);
  await reader.read();
  await until('the events wait for the reader', () => readers.streamed === 3);
  expect(listeners()).toBe(1);
  home.clock.advance(30_000);
  await until('it listens no more', () => listeners() === 0);
  await expect(reader.read()).rejects.toThrow('too slow');
  expect({ streams: readers.streams, timers: home.clock.pending }).toEqual({
    streams: 0,
    timers: 0,
  });
});

it('EV18 a stream whose reader leaves while it waits stops listening', async () => {
  using home = new EventHome();
  const { reader, readers, listeners } = opened(home);
  await reader.read();
  await reader.read();
  await until('it waits for the next', () => home.clock.pending > 0 && listeners() === 1);
  await reader.cancel();
  await until('it listens no more', () => listeners() === 0);
  expect(readers.streams).toBe(0);
});
