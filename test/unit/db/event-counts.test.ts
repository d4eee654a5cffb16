/** How much happened when, counted from a real log. */
import { expect, it } from 'vitest';
import { countEvents } from '../../../server/events/event-counts.ts';
import { EventHome, fill, sampleEvent } from '../../support/events/event-home.ts';

const MINUTE_MS = 60_000;
const ALL = { types: ['*'], sessions: null };

it('EV11 counts by session, type and whole buckets, the newest bucket last', async () => {
  using home = new EventHome();
  const { log } = home.open();
  // To the beginning of a minute.
  home.clock.advance(MINUTE_MS - (home.clock.now() % MINUTE_MS));
  const begin = home.clock.now();
  log.write((append) => append(sampleEvent(0)));
  home.clock.advance(MINUTE_MS);
  log.write((append) => [0, 0, 1, 3].forEach((n) => append(sampleEvent(n))));
  home.clock.advance(2 * MINUTE_MS);
  log.write((append) => append(sampleEvent(1)));
  const wish = { seconds: 180, bucket: 60, filter: ALL };
  expect(await countEvents(log, home.clock, wish)).toEqual({
    from: new Date(begin + MINUTE_MS).toISOString(),
    head: log.head,
    bucket_seconds: 60,
    series: [
      { session: null, type: 'daemon.stopping', counts: [1, 0, 0] },
      { session: 'even', type: 'session.closed', counts: [2, 0, 0] },
      { session: 'odd', type: 'auto.signal_rejected', counts: [1, 0, 1] },
    ],
  });
  const filter = { types: ['auto.*'], sessions: ['odd'] };
  const { series } = await countEvents(log, home.clock, { ...wish, filter });
  expect(series.map(({ type }) => type)).toEqual(['auto.signal_rejected']);
});

it('EV11 counts every page of a long log, and nothing of an empty one', async () => {
  using home = new EventHome();
  const { log } = home.open();
  const wish = { seconds: 600, bucket: 600, filter: ALL };
  expect((await countEvents(log, home.clock, wish)).series).toEqual([]);
  fill(log, 45_000);
  const { series } = await countEvents(log, home.clock, wish);
  expect(series.flatMap(({ counts }) => counts).reduce((sum, count) => sum + count)).toBe(45_000);
});
