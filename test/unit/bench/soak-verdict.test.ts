import { expect, it } from 'vitest';
import type { SoakSample } from '../../stress/soak/soak.ts';
import { verdict } from '../../stress/soak/verdict.ts';
import { Random } from '../../support/house/random.ts';

const MEGABYTE = 1_048_576;
const RULES = { warmUp: 60, faster: 1, mostMb: 1 };

/** Two hours in which each measure moves by noise, and by `change` on top. */
function samples(change: (hours: number) => Partial<SoakSample>): SoakSample[] {
  const random = new Random(1);
  return Array.from({ length: 120 }, (_, minute) => {
    const noise = random.next();
    const memory = { heapTotal: 50 * MEGABYTE, heapUsed: 0, external: 0, arrayBuffers: 0 };
    const steady = {
      ...memory,
      minute,
      rss: (120 + 4 * noise) * MEGABYTE,
      live: 40 * MEGABYTE,
      malloced: 0,
      majorCollections: 1,
      anonymous: 0,
      files: 0,
      descriptors: 100 + Math.round(6 * noise),
      head: 0,
      databaseBytes: 0,
      walBytes: 4 * noise * MEGABYTE,
      lagMs: 1 + noise / 4,
      heard: 10,
      gaps: 0,
      failures: [],
      visits: 0,
      starts: 0,
      kills: 0,
    };
    return { ...steady, ...change(minute / 60) };
  });
}

it('UL11 a soak is kept while only noise moves, and says the growth of each measure', () => {
  const { isKept, lines } = verdict(
    samples(() => ({})),
    RULES,
  );
  expect(isKept).toBe(true);
  expect(lines[0]).toMatch(/^held: -?\d\.\d\d ± \d\.\d\d MB an hour, most 1$/);
});

it.each<[string, (hours: number) => Partial<SoakSample>]>([
  ['held', (hours) => ({ rss: (120 + 3 * hours) * MEGABYTE })],
  ['descriptors', (hours) => ({ descriptors: 100 + Math.round(5 * hours) })],
  ['write-ahead log', (hours) => ({ walBytes: 3 * hours * MEGABYTE })],
  ['lag of timers', (hours) => ({ lagMs: 1 + hours })],
])('UL11 a soak is broken by growth: %s', (name, change) => {
  const { isKept, lines } = verdict(samples(change), RULES);
  expect(isKept).toBe(false);
  expect(lines.filter((line) => line.endsWith('GROWS')).map((line) => line.split(':')[0])).toEqual([
    name,
  ]);
});

it('UL11 a soak is broken by a missed event, and by no sample', () => {
  expect(
    verdict(
      samples(() => ({ gaps: 1 })),
      RULES,
    ).isKept,
  ).toBe(false);
  expect(verdict([], RULES).isKept).toBe(false);
});

it('UL11 hours that pass faster count as hours', () => {
  const change = (hours: number) => ({ rss: (120 + 3 * hours) * MEGABYTE });
  expect(verdict(samples(change), { ...RULES, faster: 8 }).isKept).toBe(true);
});
