/** A reader of the log: first what it missed, then what happens, each event once. */
import { expect, it } from 'vitest';
import type { EventLog } from '../../../server/events/event-log.ts';
import { eventStream, type StreamItem } from '../../../server/events/event-stream.ts';
import { EventHome, fill, rowsOf, sampleEvent } from '../../support/events/event-home.ts';
import { runResumeSchedule } from '../../support/events/resume-schedule.ts';
import { seeded, sized } from '../../support/house/random.ts';

const ALL = { types: ['*'], sessions: null };
const SCHEDULES = sized({ short: 250, middle: 1_000, long: 10_000 });

it('EV3 gives fifty readers at once exactly the rows', async () => {
  using home = new EventHome();
  const { database, log } = home.open();
  fill(log, 1_500);
  const readers = Array.from({ length: 50 }, async (_, n) => collect(log, n * 20, 2_000));
  for (let n = 0; n < 10; n += 1) {
    fill(log, 50);
    await new Promise((resolve) => setImmediate(resolve));
  }
  const rows = rowsOf(database).map(({ seq }) => seq);
  const lists = await Promise.all(readers);
  expect(lists).toEqual(lists.map((_, n) => rows.slice(n * 20)));
});

it('EV10 gives what one tick wrote as one item', async () => {
  using home = new EventHome();
  const { log } = home.open();
  const end = new AbortController();
  const stream = eventStream(log, { after: null, epoch: null }, ALL, end.signal);
  const next = stream.next();
  for (let n = 0; n < 40; n += 1) log.write((append) => append(sampleEvent(n)));
  expect(seqsOf((await next).value)).toHaveLength(40);
  end.abort();
  expect(await stream.next()).toEqual({ done: true, value: undefined });
});

it('EV5 EV18 resets a reader that paused past retention, and continues from the head', async () => {
  using home = new EventHome();
  const { log } = home.open({ maxEvents: 100 });
  fill(log, 10);
  const end = new AbortController();
  const stream = eventStream(log, { after: 0, epoch: null }, ALL, end.signal);
  await stream.next();
  fill(log, 500);
  log.prune();
  expect((await stream.next()).value).toEqual({
    kind: 'reset',
    reason: 'expired',
    oldest: 411,
    head: 510,
  });
  fill(log, 1);
  expect(seqsOf((await stream.next()).value)).toEqual([511]);
  await stream.return();
});

it('EV18 holds nothing for a reader that left', async () => {
  using home = new EventHome();
  const { log } = home.open();
  const end = new AbortController();
  const stream = eventStream(log, { after: null, epoch: null }, ALL, end.signal);
  const next = stream.next();
  end.abort();
  expect(await next).toEqual({ done: true, value: undefined });
});

it('EV3 EV5 EV18 leaves every reader without a gap or a duplicate, over any sequence of cuts and pauses', async () => {
  await seeded(async (random) => {
    using home = new EventHome();
    for (let number = 0; number < SCHEDULES; number += 1) {
      const wrong = await runResumeSchedule(home, random);
      expect({ number, wrong }).toEqual({ number, wrong: [] });
    }
  });
});

async function collect(log: EventLog, after: number, last: number): Promise<number[]> {
  const seqs: number[] = [];
  const end = new AbortController();
  for await (const item of eventStream(log, { after, epoch: log.epoch }, ALL, end.signal)) {
    seqs.push(...seqsOf(item));
    if (seqs.at(-1) === last) break;
  }
  return seqs;
}

function seqsOf(item: unknown): number[] {
  const { kind, events } = item as Extract<StreamItem, { kind: 'events' }>;
  expect(kind).toBe('events');
  return events.map(({ seq }) => seq);
}
