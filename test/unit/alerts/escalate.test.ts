/** Who is next: property of the one decision, and links that can be neither guessed nor changed. */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { AcknowledgeLinks } from '../../../server/alerts/incidents/acknowledge-links.ts';
import { escalate, openEscalation } from '../../../server/alerts/incidents/escalate.ts';
import { SigningKey } from '../../../server/lib/signing-key.ts';

const MINUTE_MS = 60_000;

it('AL68 each step begins once, in order, and never before its whole time has passed', () => {
  // Small, so that many looks are just before and just after a step is due.
  const minutes = fc.array(fc.integer({ min: 1, max: 6 }), { maxLength: 5 });
  const halves = fc.integer({ min: 0, max: 8 }).map((half) => (half * MINUTE_MS) / 2);
  const looks = fc.array(halves, { maxLength: 60 });
  fc.assert(
    fc.property(minutes, looks, (steps, pauses) => {
      let state = openEscalation(steps, 0);
      let [now, last] = [0, 0];
      for (const pause of pauses) {
        now += pause;
        const next = escalate(state, steps, now);
        if (next === null) {
          // Nothing due is left out.
          expect(state.dueMs === null || now < state.dueMs).toBe(true);
          continue;
        }
        expect(next.step).toBe(state.step + 1);
        expect(now - last).toBeGreaterThanOrEqual((steps[state.step] ?? 0) * MINUTE_MS);
        last = now;
        state = next;
      }
      expect(state.step).toBeLessThanOrEqual(steps.length);
      expect(state.dueMs === null).toBe(state.step === steps.length);
    }),
  );
});

it('AL68 steps that were removed do not begin', () => {
  expect(escalate({ step: 2, dueMs: 0 }, [5], 1)).toEqual({ step: 2, dueMs: null });
});

it('AL69 a link is valid for a day, for its delivery, and only as it was made', () => {
  const links = new AcknowledgeLinks(new SigningKey('k'.repeat(43)));
  const createdAt = '2026-01-01T00:00:00.000Z';
  const from = Date.parse(createdAt);
  const id = 'a'.repeat(20);
  const token = links.issue({ id, createdAt });
  const day = 24 * 60 * MINUTE_MS;
  expect(links.verify(token, from + day - 1)).toBe(id);
  expect(links.verify(token, from + day)).toBeNull();
  const [, expires = '', signature = ''] = token.split('.');
  const later = (Number.parseInt(expires, 36) + 1).toString(36);
  const other = new AcknowledgeLinks(new SigningKey('j'.repeat(43)));
  const wrong = [
    `${'b'.repeat(20)}.${expires}.${signature}`,
    `${id}.${later}.${signature}`,
    `${id}.${expires}.${'A'.repeat(43)}`,
    other.issue({ id, createdAt }),
    `${token}x`,
    '',
  ];
  expect(wrong.map((each) => links.verify(each, from))).toEqual(wrong.map(() => null));
});
