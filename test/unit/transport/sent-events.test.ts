import fc from 'fast-check';
import { expect, it } from 'vitest';
import { SentEvents } from '../../../server/ws/sent-events.ts';

const steps = fc.array(
  fc.record({ gap: fc.integer({ min: 1, max: 3 }), bytes: fc.integer({ min: 0, max: 500 }) }),
  { maxLength: 40 },
);

it('EV8 the events after a seq are those sent after it, also once earlier ones are dropped', () => {
  fc.assert(
    fc.property(steps, fc.nat(100), fc.nat(100), (sizes, asked, forgotten) => {
      const sent = new SentEvents();
      let seq = 0;
      const all = sizes.map(({ gap, bytes }) => ({ seq: (seq += gap), bytes }));
      for (const event of all) sent.push(event.seq, event.bytes);
      sent.forget(Math.min(asked, forgotten));
      const after = all.filter((event) => event.seq > asked);
      expect(sent.since(asked)).toEqual({
        events: after.length,
        bytes: after.reduce((sum, { bytes }) => sum + bytes, 0),
      });
      const taken = new SentEvents();
      taken.take(sent, asked);
      expect(taken.since(0)).toEqual(sent.since(asked));
    }),
  );
});

it('EV8 a count that is too low still exceeds the credit of a subscriber', () => {
  const sent = new SentEvents();
  for (let seq = 1; seq <= 20_000; seq += 1) sent.push(seq, 1);
  expect(sent.since(0).events).toBeGreaterThan(2_000);
  expect(sent.since(19_000)).toEqual({ events: 1_000, bytes: 1_000 });
});
