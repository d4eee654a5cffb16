/** The client library's event stream without a daemon. */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { type Followed, followEvents, type StreamSource } from '../../../client/follow-events.ts';
import { RequestFailure } from '../../../client/request-failure.ts';
import { type StreamFrame, streamFrames } from '../../../client/stream-frames.ts';

const EVENT = 'id: e:7\ndata: {"seq":7,"text":"ä 漢\\n\\n"}\n\n';
const STREAM = `retry: 2000\n\n${EVENT}: still here\n\nid: e:9\nevent: cursor\ndata: {"seq":9}\n\n`;

async function* chunksOf(bytes: Uint8Array, cuts: readonly number[]) {
  const ends = [...cuts.map((cut) => cut % bytes.length), bytes.length].sort((a, b) => a - b);
  let from = 0;
  for (const end of ends) {
    yield Promise.resolve(bytes.subarray(from, end));
    from = end;
  }
}

async function framesOf(cuts: readonly number[]): Promise<StreamFrame[]> {
  const frames: StreamFrame[] = [];
  const bytes = new TextEncoder().encode(STREAM);
  for await (const frame of streamFrames(chunksOf(bytes, cuts))) frames.push(frame);
  return frames;
}

it('LI7 however the bytes are cut, the frames are the same', async () => {
  const whole = await framesOf([]);
  expect(whole[1]).toEqual({
    event: 'message',
    id: 'e:7',
    data: '{"seq":7,"text":"ä 漢\\n\\n"}',
  });
  const cuts = fc.array(fc.nat(STREAM.length * 2), { maxLength: 12 });
  await fc.assert(
    fc.asyncProperty(cuts, async (at) => {
      expect(await framesOf(at)).toEqual(whole);
    }),
  );
});

it('LI3 a lost stream is opened again after the last cursor, later with each failure in a row', async () => {
  const asked: (string | undefined)[] = [];
  const pauses: number[] = [];
  const stop = new AbortController();
  const source: StreamSource = {
    head: async () => Promise.resolve('e:5'),
    open: async ({ after }) => {
      asked.push(after);
      if (asked.length > 2) return Promise.reject(new RequestFailure('unreachable', 0, 'away'));
      return Promise.resolve(chunksOf(new TextEncoder().encode(STREAM), []));
    },
    pause: async (ms) => {
      pauses.push(ms);
      if (pauses.length === 12) stop.abort();
      return Promise.resolve();
    },
  };
  const items: Followed[] = [];
  for await (const item of followEvents(source, { signal: stop.signal })) items.push(item);
  expect(asked.slice(0, 3)).toEqual(['e:5', 'e:9', 'e:9']);
  expect(items.slice(0, 5).map(({ kind }) => kind)).toEqual([
    'connected',
    'event',
    'cursor',
    'lost',
    'connected',
  ]);
  expect(Math.max(...pauses)).toBeLessThanOrEqual(15_000);
  expect(pauses[0]).toBeLessThanOrEqual(500);
});

it('LI5 a refusal that no retry cures ends it', async () => {
  const source: StreamSource = {
    head: async () => Promise.resolve('e:5'),
    open: async () => Promise.reject(new RequestFailure('unauthorized', 401, 'no')),
    pause: async () => Promise.reject(new Error('it must not wait')),
  };
  await expect(followEvents(source).next()).rejects.toMatchObject({ code: 'unauthorized' });
});
