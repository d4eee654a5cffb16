/** One encoding of a watched screen for all its viewers, even when some are slow. */
import { expect, it } from 'vitest';
import { ScreenFeed } from '../../../server/sessions/showing/screen-feed.ts';
import { ScreenChannels } from '../../../server/ws/screen-channels.ts';
import { FakeTerminal } from '../../support/terminals/fake-terminal.ts';
import { ManualClock } from '../../support/house/manual-clock.ts';
import { RecordingPeer, RecordingTopics } from '../../support/transport/recording-peer.ts';
import { until } from '../../support/house/until.ts';

const BEHIND_BYTES = 256 * 1024 + 1;

function setting() {
  const clock = new ManualClock();
  const terminal = new FakeTerminal();
  const feed = new ScreenFeed({
    tap: async (_, listener) => terminal.tap(listener),
    capture: async () => Promise.reject(new Error('gone')),
    clock,
  });
  const topics = new RecordingTopics();
  const published: string[] = [];
  const screens = new ScreenChannels(feed, (topic, frames) => {
    published.push(...frames);
    topics.publish(topic, frames);
  });
  const watch = () => {
    const peer = new RecordingPeer(topics);
    const end = { closed: false };
    const channel = screens.join('web', peer, () => (end.closed = true));
    const frames = () => peer.writes.flat().map((frame) => JSON.parse(frame) as { rev: number });
    return { peer, channel, end, frames };
  };
  const write = async (text: string) => {
    const before = published.length;
    await terminal.write(text);
    clock.advance(100);
    await until('the snapshot', () => published.length > before);
  };
  return { terminal, topics, published, screens, watch, write };
}

it('LT1 a change is encoded once for all viewers; a late one begins with the whole screen', async () => {
  const { published, watch, write } = setting();
  const viewers = [watch(), watch(), watch()];
  await until('the first snapshot', () => published.length === 1);
  await write('hello');
  const late = watch();
  await write(' again');
  expect(published).toHaveLength(3);
  for (const { frames } of viewers) expect(frames().map(({ rev }) => rev)).toEqual([1, 2, 3]);
  const frames = late.frames();
  expect(frames).toEqual([
    expect.objectContaining({ type: 'screen', session: 'web', rev: 2, full: true }),
    expect.objectContaining({ type: 'screen', session: 'web', rev: 3, full: false }),
  ]);
});

it('LT1 a viewer that is behind misses updates, then gets the whole screen, and delays no one', async () => {
  const { published, topics, watch, write } = setting();
  const [slow, quick] = [watch(), watch()];
  await until('the first snapshot', () => published.length === 1);
  slow.peer.bufferedBytes = BEHIND_BYTES;
  await write('one');
  await write('two');
  expect(quick.frames().map(({ rev }) => rev)).toEqual([1, 2, 3]);
  expect(slow.frames().map(({ rev }) => rev)).toEqual([1]);
  slow.peer.bufferedBytes = 0;
  slow.channel.drained(slow.peer);
  slow.channel.drained(slow.peer);
  await write('three');
  expect(slow.frames().slice(1)).toEqual([
    expect.objectContaining({ rev: 3, full: true }),
    expect.objectContaining({ rev: 4, full: false }),
  ]);
  expect(topics.joined).toBe(2);
});

it('LT1 a screen is released with its last viewer; a closed one is reported as closed', async () => {
  const { terminal, topics, published, screens, watch } = setting();
  const [one, other] = [watch(), watch()];
  await until('the first snapshot', () => published.length === 1);
  screens.leave('web', one.peer);
  expect({ taps: terminal.taps.size, watched: screens.stats() }).toEqual({ taps: 1, watched: [1] });
  screens.leave('web', other.peer);
  expect({ taps: terminal.taps.size, watched: screens.stats() }).toEqual({ taps: 0, watched: [] });
  terminal.refusal = new Error('no tap');
  const last = watch();
  await until('the end', () => last.end.closed);
  expect(last.frames()).toEqual([{ type: 'screen_closed', session: 'web' }]);
  screens.leave('web', last.peer);
  expect(topics.joined).toBe(0);
});
