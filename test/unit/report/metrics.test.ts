/** How metrics are written, and how late a timer ran. */
import { expect, it } from 'vitest';
import { by, counter, expositionText, gauge } from '../../../server/metrics/exposition-text.ts';
import { Histogram } from '../../../server/metrics/histogram.ts';
import { LagClock } from '../../../server/metrics/lag-clock.ts';
import { ManualClock } from '../../support/house/manual-clock.ts';
import { parseExposition } from '../../support/transport/parse-exposition.ts';

it('ME2 writes each metric with its meaning, type and samples', () => {
  const families = [
    counter('a_total', 'How many.', by('way', { left: 1, right: 2.5 })),
    gauge('b', 'How much.', 1e21),
    gauge('here_not', 'What this machine does not know.', null),
  ];
  expect(expositionText(families)).toBe(
    '# HELP a_total How many.\n# TYPE a_total counter\na_total{way="left"} 1\na_total{way="right"} 2.5\n' +
      '# HELP b How much.\n# TYPE b gauge\nb 1e+21\n',
  );
});

it('ME2 escapes what would end a value, and writes numbers that are none', () => {
  const value = 'a"b\\c\nd';
  const families = [
    gauge('b', 'Back\\slash,\nline "and" quote.', [
      { labels: { x: value, y: 'ü' }, value: Infinity },
      { labels: { x: '' }, value: -Infinity },
      { labels: {}, value: NaN },
    ]),
  ];
  const text = expositionText(families);
  expect(text.split('\n')).toEqual([
    '# HELP b Back\\\\slash,\\nline "and" quote.',
    '# TYPE b gauge',
    'b{x="a\\"b\\\\c\\nd",y="ü"} +Inf',
    'b{x=""} -Inf',
    'b NaN',
    '',
  ]);
  expect([...(parseExposition(text).get('b')?.samples.values() ?? [])]).toEqual([
    Infinity,
    -Infinity,
    NaN,
  ]);
});

it('ME2 writes a histogram as counts up to each bound, a sum and a count', () => {
  const histogram = new Histogram([0.1, 1]);
  for (const value of [0, 0.1, 0.5, 2, 3]) histogram.observe(value);
  const samples = histogram.samples();
  const text = expositionText([{ name: 'h', type: 'histogram', help: 'Of it.', samples }]);
  expect(Object.fromEntries(parseExposition(text).get('h')?.samples ?? [])).toEqual({
    'le="0.1"': 2,
    'le="1"': 3,
    'le="+Inf"': 5,
    _sum: 5.6,
    _count: 5,
  });
});

const HEAD = '# HELP a Of it.\n# TYPE a gauge\n';

it.each([
  ['no end of the last line', `${HEAD}a 1`],
  ['a sample without a type', 'a 1\n'],
  ['a type without a meaning', '# TYPE a gauge\na 1\n'],
  ['a meaning without a type', '# HELP a Of it.\na 1\n'],
  ['two groups of one metric', `${HEAD}a 1\n${HEAD}a{x="1"} 1\n`],
  ['a sample of another metric', `${HEAD}b 1\n`],
  ['a sample twice', `${HEAD}a{x="1"} 1\na{x="1"} 2\n`],
  ['a label twice', `${HEAD}a{x="1",x="2"} 1\n`],
  ['a quote in a value', `${HEAD}a{x="1"2"} 1\n`],
  ['an unknown escape', `${HEAD}a{x="\\t"} 1\n`],
  ['a word for a number', `${HEAD}a one\n`],
  ['an empty line', `${HEAD}\na 1\n`],
  ['a counter that does not say so', '# HELP a Of it.\n# TYPE a counter\na 1\n'],
  ['a gauge that says it is a counter', '# HELP a_total Of it.\n# TYPE a_total gauge\na_total 1\n'],
  ['a counter below 0', '# HELP a_total Of it.\n# TYPE a_total counter\na_total -1\n'],
  [
    'buckets that do not grow',
    '# HELP a Of it.\n# TYPE a histogram\na_bucket{le="1"} 2\na_bucket{le="+Inf"} 1\na_sum 1\na_count 1\n',
  ],
])('ME2 the reader of the tests refuses %s', (_, text) => {
  expect(() => parseExposition(text)).toThrow();
});

/** A clock whose timers run 300 ms late. */
class LateClock extends ManualClock {
  override after(delayMs: number, act: () => void) {
    return super.after(delayMs + 300, act);
  }
}

function lagOf(clock: LagClock): Record<string, number> {
  const rows = clock.lag.samples().map(({ suffix, labels, value }) => {
    return [labels['le'] ?? suffix ?? '', value] as const;
  });
  return Object.fromEntries(rows);
}

it('ME6 records how late each timer and each sleep ran', async () => {
  const late = new LateClock();
  const clock = new LagClock(late);
  let ran = 0;
  clock.after(1_000, () => (ran += 1));
  const slept = clock.sleep(2_000);
  clock.after(50, () => (ran += 1)).cancel();
  late.advance(1_299);
  expect([ran, lagOf(clock)['_count']]).toEqual([0, 0]);
  late.advance(1_001);
  await slept;
  expect(ran).toBe(1);
  expect(lagOf(clock)).toMatchObject({ '0.25': 0, '0.5': 2, '+Inf': 2, _count: 2 });
  expect(lagOf(clock)['_sum']).toBeCloseTo(0.6);
});

it('ME6 sets no timer of its own, and does not count an aborted sleep', async () => {
  const manual = new ManualClock();
  const clock = new LagClock(manual);
  expect(manual.pending).toBe(0);
  const left = new AbortController();
  const slept = clock.sleep(1_000, left.signal).catch((error: unknown) => error);
  clock.after(10, () => undefined);
  expect(manual.pending).toBe(2);
  left.abort();
  expect(await slept).toBeInstanceOf(Error);
  manual.advance(10);
  expect([manual.pending, lagOf(clock)['_count'], lagOf(clock)['0.002']]).toEqual([0, 1, 1]);
});
