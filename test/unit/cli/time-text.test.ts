/** Times as the shell prints and parses them. */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { CliError } from '../../../server/cli/exit-code.ts';
import { pastMoment } from '../../../server/cli/past-moment.ts';
import { bundleModule } from '../../support/browser/bundle-module.ts';
import { TEST_ROOT } from '../../support/house/test-root.ts';

/** Whole, half and quarter hours on both sides of UTC; with and without summer time, by half an hour too. */
const ZONES = [
  'UTC',
  'Europe/Berlin',
  'Europe/London',
  'America/New_York',
  'America/St_Johns',
  'Asia/Kathmandu',
  'Australia/Lord_Howe',
  'Pacific/Kiritimati',
  'Pacific/Pago_Pago',
];

/** Around the hours that a change of time skips and repeats: Berlin, New York, Lord Howe. */
const CHANGES = [
  '2026-03-29T01:00Z',
  '2026-10-25T01:00Z',
  '2026-11-01T06:00Z',
  '2026-04-04T15:00Z',
];

const HOUR = 3_600_000;

interface Read {
  time: string;
  printed: string;
  at: string;
  utcAt: string;
}

let directory = '';
let program = '';

beforeAll(async () => {
  directory = mkdtempSync(join(TEST_ROOT, 'times'));
  program = await bundleModule('test/support/house/print-times.ts', directory);
});

afterAll(() => rmSync(directory, { recursive: true }));

function readIn(zone: string, times: readonly string[]): Read[] {
  const env = { ...process.env, TZ: zone };
  const input = JSON.stringify(times);
  return JSON.parse(execFileSync(process.execPath, [program], { env, input }).toString()) as Read[];
}

it.each(ZONES)('CL18, CL31 a time printed in %s is one moment, and --at accepts it', (zone) => {
  const anywhen = fc.integer({ min: Date.UTC(2000, 0), max: Date.UTC(2040, 0) });
  const nearChange = fc
    .tuple(fc.constantFrom(...CHANGES), fc.integer({ min: -3 * HOUR, max: 3 * HOUR }))
    .map(([change, ms]) => Date.parse(change) + ms);
  const some = fc.sample(fc.oneof(anywhen, nearChange), { numRuns: 2_000, seed: 7 });
  const times = some.map((ms) => new Date(ms).toISOString());
  for (const { time, printed, at, utcAt } of readIn(zone, times)) {
    expect(printed).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(Z|[+-]\d\d:\d\d)$/);
    // The whole second that was printed is included.
    expect([time, utcAt, at]).toEqual([time, at, `${time.slice(0, 19)}.999Z`]);
    expect(Date.parse(printed)).toBe(Date.parse(`${time.slice(0, 19)}Z`));
  }
});

it('CL18 the hour that a change of time repeats is unambiguous', () => {
  const printed = readIn('Europe/Berlin', ['2026-10-25T00:30:00Z', '2026-10-25T01:30:00Z']);
  expect(printed.map((each) => each.printed)).toEqual([
    '2026-10-25T02:30:00+02:00',
    '2026-10-25T00:30:00Z',
    '2026-10-25T02:30:00+01:00',
    '2026-10-25T01:30:00Z',
  ]);
});

it('CL31 a time of day is its latest occurrence, in UTC with --utc', () => {
  const now = new Date('2026-11-22T05:31:42.500Z');
  const at = (given: string) => pastMoment(given, { utc: true }, now);
  expect(at('05:31')).toBe('2026-11-22T05:31:59.999Z');
  expect(at('05:33')).toBe('2026-11-21T05:33:59.999Z');
  expect(at('2:58:07')).toBe('2026-11-22T02:58:07.999Z');
  expect(at('2026-11-22T01:02:03.004Z')).toBe('2026-11-22T01:02:03.004Z');
  expect(at('2026-11-22 01:02')).toBe('2026-11-22T01:02:59.999Z');
  expect(at('17')).toBe('17');
});

it('CL12, CL31 an invalid time is a usage error', () => {
  const wrong = ['soon', '24:00', '12:60', '2026-02-30', '2026-13-01', '2026-01-01T25:00Z', ''];
  for (const given of [...wrong, 'web 1', '2026-01-01T10:00+0', '1:2']) {
    expect(() => pastMoment(given, {})).toThrow(CliError);
  }
});
