/** The arithmetic of the bench. */
import { expect, it } from 'vitest';
import { goalText, timeFigures, verdict } from '../../../bench/report/figures.ts';
import { markdown, updatedPage } from '../../../bench/report/markdown.ts';
import { median, medianRatio, percentile, turned } from '../../../bench/report/statistics.ts';
import { table } from '../../../bench/report/table.ts';

it('BE1 a ratio is of one round, and the load between rounds does not matter', () => {
  // The machine is ten times slower in each round, for both.
  expect(medianRatio([200, 20, 2], [100, 10, 1])).toBeCloseTo(2);
  expect(medianRatio([], [])).toBeNaN();
});

it('BE1 times are judged by the median of their rounds, with the spread next to it', () => {
  const [p50, p99, max] = timeFigures('n', [[1, 2, 3], [9], [4, 5, 6, 7]], { p99: 8 });
  expect(p50).toEqual({ name: 'n, p50', value: 6, unit: 'ms', remark: '2.00–9.00 in 3 rounds' });
  expect(p99).toMatchObject({ value: 7, goal: { direction: 'at most', value: 8 } });
  expect(max).toEqual({ name: 'n, max', value: 9, unit: 'ms' });
  expect(timeFigures('n', [[1, 2, 3]])[0]).toEqual({ name: 'n, p50', value: 2, unit: 'ms' });
});

it('BE1 each contender comes first in some round', () => {
  const names = ['a', 'b', 'c'];
  const rounds = [0, 1, 2, 3].map((round) => turned(names, round).join(''));
  expect(rounds).toEqual(['abc', 'bca', 'cab', 'abc']);
});

it('BE1 medians and percentiles of unordered samples', () => {
  expect(median([10, 9, 100])).toBe(10);
  expect(median([4, 1, 3, 2])).toBe(2.5);
  const hundred = Array.from({ length: 100 }, (_, n) => 99 - n);
  expect([percentile(hundred, 0.5), percentile(hundred, 0.99), percentile(hundred, 1)]).toEqual([
    50, 99, 99,
  ]);
});

it.each([
  [1.4, 'at least', 1.4, 'met'],
  [1.05, 'at least', 1.4, 'missed by 25 %'],
  [10, 'at most', 10, 'met'],
  [12, 'at most', 10, 'missed by 20 %'],
  [NaN, 'at most', 10, 'not measured'],
] as const)('BE2 a value of %d that should be %s %d is %s', (value, direction, goal, expected) => {
  expect(verdict(value, { direction, value: goal })).toBe(expected);
});

it('BE2 a goal names its baseline, on the terminal as in the documentation', () => {
  const goal = { direction: 'at least', value: 10, against: 'Socket.IO' } as const;
  const figure = { name: 'burst', value: 11.04, unit: '×', goal, remark: 'a | b' };
  expect(goalText(figure)).toBe('≥ 10 × Socket.IO');
  expect(table([figure])).toEqual(['burst  11.04  ×  ≥ 10 × Socket.IO  met  a | b']);
  const machine = {
    processor: 'P',
    cores: 2,
    memory_gb: 8,
    system: 'Linux',
    node: '20',
    tmux: '3',
    load: 2,
    first: true,
    pinned: true,
  };
  const page = markdown({ machine, quick: true, parts: { 'fan-out': [figure] }, noise: {} });
  expect(page).toContain('| burst | 11.04 | × | ≥ 10 × Socket.IO | met | a \\| b |');
  expect(page).toContain('A quick run');
  const missed = { ...figure, goal: { ...goal, value: 12, ifMissed: 'Too slow.' } };
  const run = { machine, quick: false, parts: { 'fan-out': [figure, missed, missed] } };
  const notes = (noise: Record<string, string>) =>
    markdown({ ...run, noise })
      .split('\n')
      .filter((line) => /^(- |Not judged)/.test(line));
  expect(notes({})).toEqual(['- Too slow.']);
  expect(notes({ 'fan-out': 'others worked' })).toEqual(['Not judged: others worked.']);
});

it('RS63 a run of some parts replaces or adds their sections, and says when they were measured', () => {
  const machine = {
    processor: 'x',
    cores: 1,
    memory_gb: 1,
    system: 'Linux',
    node: '20',
    tmux: '3',
    load: 2,
    first: true,
    pinned: false,
  };
  const part = (name: string, value: number) => [{ name, value, unit: '%' }];
  const order = ['fan-out', 'detection', 'page'];
  const run = (parts: Record<string, ReturnType<typeof part>>) => ({
    machine,
    quick: false,
    parts,
    noise: {},
  });
  const first = markdown(run({ 'fan-out': part('many', 1), page: part('load', 2) }));
  const added = updatedPage(first, run({ detection: part('one', 0.5) }), order);
  const titles = [...added.matchAll(/^## .*/gm)].map(([title]) => title);
  expect(titles).toEqual(['## fan-out', '## detection', '## page']);
  expect(added).toContain('Measured on 1 core of x');
  expect(added).toContain('The load was 2, and the bench had priority.');
  const again = updatedPage(added, run({ detection: part('one', 0.25) }), order);
  expect(again).toContain('| one | 0.25 |');
  expect(again).not.toContain('0.50');
  expect(again).toContain('| many | 1.00 |');
});
