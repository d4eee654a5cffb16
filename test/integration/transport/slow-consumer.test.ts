/** A reader that does not keep up: paused, then cut, and nothing lost when it returns. */
import { expect, it } from 'vitest';
import type { Cursor } from '../../../shared/schema/events/cursor.ts';
import type { EventLog } from '../../../server/events/event-log.ts';
import { EventChannels } from '../../../server/ws/event-channels.ts';
import { Subscription } from '../../../server/ws/subscription.ts';
import { EventHome, fill, sampleEvent } from '../../support/events/event-home.ts';
import type { ManualClock } from '../../support/house/manual-clock.ts';
import { RecordingPeer, RecordingTopics } from '../../support/transport/recording-peer.ts';
import { until } from '../../support/house/until.ts';

const MIB = 1024 * 1024;

it('EV10 sends a subscriber everything one tick produced in one write', async () => {
  using home = new EventHome();
  const { log } = home.open();
  const { peer, subscription } = subscribe(log, home.clock);
  for (let n = 0; n < 30; n += 1) log.write((append) => append(sampleEvent(n)));
  await until('the write', () => peer.writes.length > 0);
  fill(log, 12);
  await until('the next write', () => peer.writes.length > 1);
  expect(peer.writes.map((frames) => frames.length)).toEqual([30, 12]);
  subscription.end();
});

it('EV8 EV18 pauses a subscriber with 2,000 events in flight, and continues when it acknowledges', async () => {
  using home = new EventHome();
  const { log } = home.open();
  const { peer, subscription } = subscribe(log, home.clock);
  subscription.ack(0);
  await writeInTurns(log, 3_000);
  expect(peer.seqs).toHaveLength(2_000);
  subscription.ack(1_500);
  await until('the rest', () => peer.seqs.length === 3_000);
  expect(peer.seqs).toEqual(numbers(3_000));
  subscription.end();
});

it('EV8 EV18 pauses a subscriber with 1 MiB in the kernel buffer, whether it acknowledges or not', async () => {
  using home = new EventHome();
  const { log } = home.open();
  const { peer, subscription } = subscribe(log, home.clock);
  peer.isStalled = true;
  await writeInTurns(log, 12_000);
  const sent = peer.bufferedBytes;
  expect([sent >= MIB, sent < MIB + 2_000]).toEqual([true, true]);
  peer.isStalled = false;
  peer.bufferedBytes = 0;
  subscription.drained();
  await until('the rest', () => peer.seqs.length === 12_000);
  expect(peer.seqs).toEqual(numbers(12_000));
  subscription.end();
});

it('EV8 cuts a subscriber that stays away for 30 s, not one that comes back before', async () => {
  using home = new EventHome();
  const { log } = home.open();
  const { peer, subscription } = subscribe(log, home.clock);
  subscription.ack(0);
  await writeInTurns(log, 2_600);
  home.clock.advance(29_999);
  subscription.ack(2_000);
  await until('the rest', () => peer.seqs.length === 2_600);
  home.clock.advance(30_000);
  await writeInTurns(log, 3_000);
  home.clock.advance(29_999);
  await turn();
  expect(peer.closes).toEqual([]);
  home.clock.advance(1);
  await until('the cut', () => peer.closes.length > 0);
  expect(peer.closes).toEqual([{ code: 4008, reason: 'slow_consumer' }]);
  expect({ timers: home.clock.pending }).toEqual({ timers: 0 });
});

it('EV18 keeps no timer for a subscriber that left while it was paused', async () => {
  using home = new EventHome();
  const { log } = home.open();
  const { subscription } = subscribe(log, home.clock);
  subscription.ack(0);
  await writeInTurns(log, 2_600);
  subscription.end();
  await until('no timer is left', () => home.clock.pending === 0);
});

function subscribe(log: EventLog, clock: ManualClock, cursor: Cursor = { after: 0, epoch: null }) {
  const topics = new RecordingTopics();
  const channels = new EventChannels(log, (topic, frames) => topics.publish(topic, frames));
  const peer = new RecordingPeer(topics);
  const filter = { types: ['*'], sessions: null };
  const subscription = new Subscription(peer, channels, clock, { id: 1, cursor, filter });
  return { peer, subscription };
}

/** Ten events per tick. */
async function writeInTurns(log: EventLog, count: number): Promise<void> {
  for (let written = 0; written < count; written += 10) {
    fill(log, 10);
    await turn();
  }
}

async function turn(): Promise<void> {
  for (let n = 0; n < 3; n += 1) await new Promise((resolve) => setImmediate(resolve));
}

function numbers(last: number): number[] {
  return Array.from({ length: last }, (_, index) => index + 1);
}
