/** The units of a report: complete, each once, and their times add up, on random histories. */
import { expect, it } from 'vitest';
import type { ReportSeconds, ReportShare } from '../../../shared/schema/usage/report.ts';
import { noSeconds } from '../../../server/report/timeline.ts';
import { Units } from '../../../server/report/units.ts';
import { randomNight, type RealUnit, START_MS } from '../../support/runs/random-night.ts';
import { seeded } from '../../support/house/random.ts';

const NIGHTS = 300;
const HOUR_MS = 3_600_000;

/** What the report must say of a unit; null where it must not be in it. */
function expected({ about, spans }: RealUnit, sinceMs: number, untilMs: number) {
  const isIn = ({ fromMs, toMs }: RealUnit['spans'][number]) =>
    fromMs < untilMs && (toMs > sinceMs || (toMs === fromMs && fromMs >= sinceMs));
  const inside = spans.filter(isIn);
  const seconds = noSeconds();
  for (const [index, { fromMs, toMs, share }] of inside.entries()) {
    seconds[share] += (Math.min(toMs, untilMs) - Math.max(fromMs, sinceMs)) / 1000;
    // Between an end and a continuation.
    const before = inside[index - 1]?.toMs ?? fromMs;
    seconds.stopped += (Math.max(fromMs, sinceMs) - Math.max(before, sinceMs)) / 1000;
  }
  const isByHand = about.startsWith('session:');
  const isIdle = Object.entries(seconds).every(
    ([share, each]) => share === 'stopped' || each === 0,
  );
  return inside.length === 0 || (isByHand && isIdle) ? null : { about, seconds };
}

function rounded(seconds: ReportSeconds): ReportSeconds {
  const pairs = Object.entries(seconds) as [ReportShare, number][];
  return Object.fromEntries(
    pairs.map(([share, each]) => [share, Math.round(each)]),
  ) as ReportSeconds;
}

const sorted = (found: readonly { about: string; seconds: ReportSeconds }[]) =>
  found.map(({ about, seconds }) => JSON.stringify({ about, ...rounded(seconds) })).sort();

it('MR2 MR3 each unit open in the interval is in it exactly once, and its times add up', async () => {
  for (let night = 0; night < NIGHTS; night += 1) {
    await seeded((random) => {
      const { events, units } = randomNight(random, 12);
      const sinceMs = START_MS + random.int(-HOUR_MS, 6 * HOUR_MS);
      const untilMs = sinceMs + random.int(1, 8 * HOUR_MS);
      const read = new Units();
      for (const event of events) if (Date.parse(event.at) < untilMs) read.add(event);
      const found = read.openIn(sinceMs, untilMs).map(({ unit, seconds }) => ({
        about: `${unit.kind}:${unit.name}`,
        seconds,
      }));
      const wanted = units.flatMap((unit) => expected(unit, sinceMs, untilMs) ?? []);
      expect(sorted(found)).toEqual(sorted(wanted));
    });
  }
});
