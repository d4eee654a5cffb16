/** Quiet hours against the wall clock of their zone, checked minute by minute. */
import { expect, it } from 'vitest';
import { quietUntil } from '../../../shared/rules/quiet-until.ts';
import { seeded } from '../../support/house/random.ts';

const MINUTE_MS = 60_000;
const BERLIN = { from: '22:00', to: '07:00', time_zone: 'Europe/Berlin' };

function until(quiet: typeof BERLIN, at: string): string | null {
  const end = quietUntil(quiet, Date.parse(at));
  return end === null ? null : new Date(end).toISOString().slice(0, 16);
}

it('AL28 quiet hours begin at the first minute, end before the last, and span midnight', () => {
  // Berlin is an hour ahead in winter.
  expect({
    before: until(BERLIN, '2026-01-10T20:59:59.999Z'),
    begin: until(BERLIN, '2026-01-10T21:00:00Z'),
    midnight: until(BERLIN, '2026-01-10T23:30:30Z'),
    late: until(BERLIN, '2026-01-11T05:59:59.999Z'),
    end: until(BERLIN, '2026-01-11T06:00:00Z'),
  }).toEqual({
    before: null,
    begin: '2026-01-11T06:00',
    midnight: '2026-01-11T06:00',
    late: '2026-01-11T06:00',
    end: null,
  });
});

it('AL28 hours of one day end on that day', () => {
  const noon = { from: '12:00', to: '13:00', time_zone: 'UTC' };
  expect([
    until(noon, '2026-01-10T11:59:00Z'),
    until(noon, '2026-01-10T12:30:00Z'),
    until(noon, '2026-01-10T13:00:00Z'),
  ]).toEqual([null, '2026-01-10T13:00', null]);
});

it('AL28 the night in which the clock is put forward is an hour shorter, and back an hour longer', () => {
  expect({
    forward: until(BERLIN, '2026-03-28T22:30:00Z'),
    back: until(BERLIN, '2026-10-24T21:30:00Z'),
    // 02:30 is skipped: the end is the jump, 03:00 in summer time.
    jumped: until({ ...BERLIN, to: '02:30' }, '2026-03-28T23:00:00Z'),
    // 02:30 comes twice, and the second time after 02:00 is quiet as well.
    first: until({ ...BERLIN, to: '02:30' }, '2026-10-24T23:00:00Z'),
    again: until({ ...BERLIN, to: '02:30' }, '2026-10-25T01:10:00Z'),
    // Quiet since 01:41, the clock goes back from 02:00 to 01:30.
    before: until(
      { from: '01:41', to: '16:15', time_zone: 'Australia/Lord_Howe' },
      '2026-04-04T14:49:37Z',
    ),
  }).toEqual({
    forward: '2026-03-29T05:00',
    back: '2026-10-25T06:00',
    jumped: '2026-03-29T01:00',
    first: '2026-10-25T00:30',
    again: '2026-10-25T01:30',
    before: '2026-04-04T15:00',
  });
});

/** Zones with difficult changes of time: half an hour, odd minutes, the south, none. */
const CHANGES: [string, string][] = [
  ['Europe/Berlin', '2026-03-29T01:00:00Z'],
  ['Europe/Berlin', '2026-10-25T01:00:00Z'],
  ['America/St_Johns', '2026-03-08T05:30:00Z'],
  ['America/New_York', '2026-11-01T06:00:00Z'],
  ['Australia/Lord_Howe', '2026-04-04T15:00:00Z'],
  ['Australia/Lord_Howe', '2026-10-03T15:30:00Z'],
  ['Asia/Kathmandu', '2026-06-01T00:00:00Z'],
];

it('AL28 the end is the first minute that is not quiet, around every change of time', async () => {
  await seeded((random) => {
    for (let round = 0; round < 60; round += 1) {
      const [time_zone, change] = random.pick(CHANGES);
      const time = () =>
        `${String(random.int(0, 23)).padStart(2, '0')}:${String(random.int(0, 59)).padStart(2, '0')}`;
      const quiet = { from: time(), to: time(), time_zone };
      if (quiet.from === quiet.to) continue;
      const at = Date.parse(change) + random.int(-1_800, 1_800) * MINUTE_MS + random.int(0, 59_999);
      const found = quietUntil(quiet, at);
      expect({ quiet, at, found }).toEqual({ quiet, at, found: firstLoud(quiet, at) });
    }
  });
});

/** The same by checking every minute. */
function firstLoud({ from, to, time_zone }: typeof BERLIN, atMs: number): number | null {
  const isQuiet = (ms: number) => {
    const wall = new Date(ms).toLocaleTimeString('en-GB', { timeZone: time_zone }).slice(0, 5);
    return from < to ? wall >= from && wall < to : wall >= from || wall < to;
  };
  if (!isQuiet(atMs)) return null;
  let ms = Math.floor(atMs / MINUTE_MS) * MINUTE_MS;
  while (isQuiet(ms)) ms += MINUTE_MS;
  return ms;
}
