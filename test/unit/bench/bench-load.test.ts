/** What the load generator counts by, compared with what is really sent. */
import { expect, it } from 'vitest';
import { benchEvent, EVENT_BYTES } from '../../../bench/contenders/bench-event.ts';
import { chunkBytes, frameBytes, isExact } from '../../../bench/load/frame-size.ts';
import { receiptsOf } from '../../../bench/load/stamps.ts';
import { encodeFrames } from '../../../server/transport/encode-frames.ts';

it('BE3 an event has 366 bytes with any number', () => {
  for (const number of [0, 9, 8_999_999]) {
    expect(Buffer.byteLength(JSON.stringify(benchEvent(number)))).toBe(EVENT_BYTES);
  }
});

it.each([0, 125, 126, 65_535, 65_536])(
  'BE3 the frame of %d bytes is exactly that long',
  (length) => {
    expect(encodeFrames(['x'.repeat(length)])).toHaveLength(frameBytes(length));
  },
);

it('BE3 a chunk is as long as declared', () => {
  expect([chunkBytes(15), chunkBytes(16), chunkBytes(333)]).toEqual([20, 22, 340]);
});

it.each([
  [1_000, 10, 100, 0, true],
  [999, 10, 100, 0, false],
  [998, 10, 100, 0, false],
  [1_100, 10, 100, 0, false],
  [1_002, 10, 100, 0, false],
  [1_002, 10, 100, 1, true],
  [1_001, 10, 100, 1, false],
  [NaN, 10, 100, 1, false],
])('BE3 %d bytes of %d events of %d with %d pings are exact: %s', (...row) => {
  const [bytes, events, wireBytes, pings, expected] = row;
  expect(isExact(bytes, events, wireBytes, pings)).toBe(expected);
});

it('BE3 the travel time of an event is read from its bytes in place', () => {
  const text = (number: number) => JSON.stringify(benchEvent(number));
  const before = process.hrtime.bigint();
  const bytes = Buffer.from(`xx${text(1)}yy${text(2)}`);
  const ages = receiptsOf(bytes, before + 5_000_000n).map(({ ageMs }) => ageMs);
  expect(ages).toHaveLength(2);
  for (const age of ages) {
    expect(age).toBeLessThanOrEqual(5);
    expect(age).toBeGreaterThan(-1_000);
  }
  // The second is cut within its time.
  expect(receiptsOf(bytes.subarray(0, bytes.lastIndexOf('sent:') + 10))).toHaveLength(1);
});
