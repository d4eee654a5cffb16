/** The next time that a text such as `1:14pm (UTC)` means. */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { parseResetTime } from '../../../server/agents/reading/reset-time.ts';

const NOW = Date.parse('2026-11-20T12:30:00Z');
const at = (text: string, now = NOW) => {
  const time = parseResetTime(text, now, 'UTC');
  return time === null ? null : new Date(time).toISOString();
};

it.each([
  ['1:14pm (UTC)', '2026-11-20T13:14:00.000Z'],
  ['11:46am (UTC)', '2026-11-21T11:46:00.000Z'],
  ['12am', '2026-11-21T00:00:00.000Z'],
  ['12:30pm', '2026-11-20T12:30:00.000Z'],
  // The text stays on the screen when its time has passed.
  ['12:21pm', '2026-11-20T12:21:00.000Z'],
  ['12:20pm', '2026-11-21T12:20:00.000Z'],
  ['1pm (Europe/Berlin)', '2026-11-21T12:00:00.000Z'],
  ['2pm (Europe/Berlin)', '2026-11-20T13:00:00.000Z'],
  ['7:45am (America/New_York)', '2026-11-20T12:45:00.000Z'],
  ['6pm (Asia/Kolkata)', '2026-11-20T12:30:00.000Z'],
  ['Nov 22, 1:45pm (UTC)', '2026-11-22T13:45:00.000Z'],
  ['Nov 22, 1:45pm', '2026-11-22T13:45:00.000Z'],
  ['Nov 22 at 1pm', '2026-11-22T13:00:00.000Z'],
  ['Dec 1', '2026-12-01T00:00:00.000Z'],
  ['Jan 3, 9am (UTC)', '2027-01-03T09:00:00.000Z'],
  ['15:20', '2026-11-20T15:20:00.000Z'],
])('AG9 "%s" is %s', (text, expected) => {
  expect(at(text)).toBe(expected);
});

it.each([
  '',
  'soon',
  '25pm',
  '0am',
  '1:75pm',
  'Foo 3, 1pm',
  'Nov 40, 1pm',
  '1pm (Not/AZone)',
  'Nov 19, 1pm',
])('AG9 "%s" is no time', (text) => {
  expect(at(text)).toBeNull();
});

it('AG9 a clock that was set forward or back counts', () => {
  const autumn = Date.parse('2026-10-24T20:00:00Z');
  expect(at('9am (Europe/Berlin)', autumn)).toBe('2026-10-25T08:00:00.000Z');
  const spring = Date.parse('2026-03-28T20:00:00Z');
  expect(at('9am (Europe/Berlin)', spring)).toBe('2026-03-29T07:00:00.000Z');
});

it('AG9 a time of day is at most ten minutes past or two days ahead, and reads as it was written', () => {
  const steady = ['UTC', 'Asia/Kolkata', 'Asia/Tokyo'];
  const zone = fc.constantFrom(
    ...steady,
    'Europe/Berlin',
    'America/Los_Angeles',
    'Pacific/Auckland',
  );
  const now = fc.integer({ min: Date.UTC(2024, 0), max: Date.UTC(2030, 0) });
  fc.assert(
    fc.property(now, fc.integer({ min: 0, max: 1439 }), zone, (nowMs, minutes, timeZone) => {
      const hour = Math.floor(minutes / 60);
      const minute = String(minutes % 60).padStart(2, '0');
      const words = `${((hour + 11) % 12) + 1}:${minute}${hour < 12 ? 'am' : 'pm'}`;
      const time = parseResetTime(`${words} (${timeZone})`, nowMs) ?? 0;
      expect(time).toBeGreaterThan(nowMs - 600_000);
      expect(time - nowMs).toBeLessThanOrEqual(49 * 3_600_000);
      // Where clocks are put forward an hour a year cannot be read back.
      if (!steady.includes(timeZone)) return;
      const clock = { timeZone, hour: 'numeric', minute: '2-digit' } as const;
      const read = new Intl.DateTimeFormat('en-US', clock).format(time);
      expect(read.replace(/\s/g, '').toLowerCase()).toBe(words);
    }),
    { numRuns: 1_000, seed: 20_261_121 },
  );
});

it('AG8 any text is read without throwing', () => {
  fc.assert(
    fc.property(fc.string(), (text) => void parseResetTime(text, NOW)),
    { seed: 7 },
  );
});
