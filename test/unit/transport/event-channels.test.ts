/** What subscribers with the same filter share, and that a slow one does not affect the others. */
import { expect, it } from 'vitest';
import { EventChannels } from '../../../server/ws/event-channels.ts';
import { Subscription } from '../../../server/ws/subscription.ts';
import { EventHome, fill, rowsOf } from '../../support/events/event-home.ts';
import { RecordingPeer, RecordingTopics } from '../../support/transport/recording-peer.ts';
import { until } from '../../support/house/until.ts';

const NONE = { replaying: 0, live: 0, paused: 0, ended: 0 };

function setting(home: EventHome) {
  const { log, database } = home.open();
  const topics = new RecordingTopics();
  const published: number[] = [];
  const channels = new EventChannels(log, (topic, frames) => {
    published.push(frames.length);
    topics.publish(topic, frames);
  });
  const subscribe = (types: string[], sessions: string[] | null) => {
    const peer = new RecordingPeer(topics);
    const request = { id: 1, cursor: { after: null, epoch: null }, filter: { types, sessions } };
    return { peer, subscription: new Subscription(peer, channels, home.clock, request) };
  };
  return { log, database, topics, published, channels, subscribe };
}

it('EV13 a tick is encoded once for all subscribers with the same filter, in any spelling', async () => {
  using home = new EventHome();
  const { log, database, published, channels, subscribe } = setting(home);
  const alike = [
    subscribe(['auto.*', 'session.closed'], ['even', 'odd']),
    subscribe(['session.closed', 'auto.*'], ['odd', 'even']),
    subscribe(['auto.*', 'session.closed', 'auto.*'], ['even', 'odd', 'odd']),
  ];
  fill(log, 8);
  await until('all are delivered', () => alike.every(({ peer }) => peer.writes.length === 1));
  expect(published).toEqual([6]);
  const all = rowsOf(database).filter(({ session }) => session !== null);
  for (const { peer } of alike) expect(peer.seqs).toEqual(all.map(({ seq }) => seq));
  expect(channels.stats()).toEqual({
    subscriptions: { ...NONE, live: 3 },
    channels: 1,
    delivered: 18,
  });
  const other = subscribe(['*'], null);
  fill(log, 1);
  await until('each filter gets its event', () => other.peer.writes.length === 1);
  expect(published).toHaveLength(3);
});

it('EV22 a subscriber that falls behind leaves the channel, misses nothing and delays no other', async () => {
  using home = new EventHome();
  const { log, database, topics, channels, subscribe } = setting(home);
  const [slow, quick] = [subscribe(['*'], null), subscribe(['*'], null)];
  slow.peer.isStalled = true;
  while (channels.stats().subscriptions.paused === 0) {
    fill(log, 1_000);
    await new Promise((resolve) => setImmediate(resolve));
  }
  fill(log, 500);
  const kept = rowsOf(database).map(({ seq }) => seq);
  await until('the quick one has all', () => quick.peer.seqs.length === kept.length);
  expect(topics.joined).toBe(1);
  slow.peer.isStalled = false;
  slow.peer.bufferedBytes = 0;
  slow.subscription.drained();
  await until('the slow one has all', () => slow.peer.seqs.length === kept.length);
  // It finds out that nothing is left with one more read.
  await until('the slow one is live', () => channels.stats().subscriptions.live === 2);
  expect([slow.peer.seqs, quick.peer.seqs]).toEqual([kept, kept]);
  expect(channels.stats().subscriptions).toEqual({ ...NONE, live: 2 });
  for (const { subscription } of [slow, quick]) subscription.end();
  expect({ joined: topics.joined, ...channels.stats() }).toMatchObject({
    joined: 0,
    channels: 0,
    subscriptions: NONE,
  });
});
