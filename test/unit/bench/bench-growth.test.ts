/** How the bench fits a growing cost and finds what breaks first. */
import { setTimeout as pause } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { firstLimit } from '../../../bench/growth/first-limit.ts';
import { fittedLine } from '../../../bench/report/fitted-line.ts';
import { growthFigures } from '../../../bench/growth/growth-figures.ts';
import { reach } from '../../../bench/growth/reach.ts';

const SUBSCRIBERS = { name: 'subscribers', asked: 'an event', sizes: [1, 10, 100, 1_000] };
const sample = (size: number, CPU: number, memory: number, latency: number) => ({
  size,
  costs: { CPU, memory, latency },
});

it('BE6 the line is the one with the least squares', () => {
  const exact = fittedLine([1, 10, 100].map((size) => ({ size, value: 50 + 0.5 * size })));
  expect(exact.slope).toBeCloseTo(0.5);
  expect(exact.base).toBeCloseTo(50);
  const scattered = [0, 1, 2, 3].map((size) => ({ size, value: [1, 0, 3, 2][size] ?? NaN }));
  const { slope, base } = fittedLine(scattered);
  expect(slope).toBeCloseTo(0.6);
  expect(base).toBeCloseTo(0.6);
});

it('BE6 one size has no line', () => {
  expect(fittedLine([{ size: 10, value: 3 }]).slope).toBeNaN();
  expect(fittedLine([]).slope).toBeNaN();
});

it('BE6 what breaks first has the smallest size at its limit; what does not grow never breaks', () => {
  const memory = { line: { slope: 2, base: 24 }, limit: 1_024, words: 'memory' };
  const cpu = { line: { slope: 0.3, base: 0 }, limit: 100, words: 'CPU' };
  const falling = { line: { slope: -1, base: 5 }, limit: 10, words: 'falling' };
  const unknown = { line: { slope: NaN, base: NaN }, limit: 10, words: 'unknown' };
  expect(firstLimit([memory, falling, cpu, unknown])).toEqual({ size: 333, words: 'CPU' });
  expect(firstLimit([memory])).toEqual({ size: 500, words: 'memory' });
  const broken = { line: { slope: 1, base: 11 }, limit: 10, words: 'broken' };
  expect(firstLimit([memory, broken])).toEqual({ size: 0, words: 'broken' });
  expect(firstLimit([falling, unknown])).toBeNull();
});

it('BE6 an axis has a row for each size, a slope for each resource and what breaks first', () => {
  const samples = [sample(100, 0, 60, 1), sample(200, 0, 70, 2)];
  const figures = growthFigures(SUBSCRIBERS, { samples, ended: null });
  expect(figures.map(({ name, value }) => [name, Math.round(value)])).toEqual([
    ['100 subscribers: CPU', 0],
    ['200 subscribers: CPU', 0],
    ['subscribers: CPU, fitted slope', 0],
    ['100 subscribers: memory', 60],
    ['200 subscribers: memory', 70],
    ['subscribers: memory, fitted slope', 100],
    ['100 subscribers: latency', 1],
    ['200 subscribers: latency', 2],
    ['subscribers: latency, fitted slope', 10],
    ['subscribers: what breaks first', 9_740],
  ]);
  expect(figures[5]?.unit).toBe('MB per 1000 subscribers');
  expect(figures[9]?.remark).toBe('1 GB of memory, at 48.7 times the largest size measured');
});

it('BE6 an engine serves 10,000 sockets; other things may grow further', () => {
  const samples = [sample(100, 0, 60, 1), sample(200, 0, 60, 1)];
  const last = (name: string) =>
    growthFigures({ name, asked: '', sizes: [1_000] }, { samples, ended: null }).at(-1);
  expect(last('subscribers')).toMatchObject({ value: 10_000 });
  expect(last('subscribers')?.remark).toContain('sockets');
  expect(last('tasks')).toMatchObject({ value: Infinity, remark: 'nothing grows' });
});

it('BE6 a start that fails ends the growth; what was started counts', async () => {
  const started: number[] = [];
  const reached = await reach(10, 1_000, async (number) => {
    await pause(1);
    if (number >= 40) throw new Error(`no room for ${number}`);
    started.push(number);
  });
  expect(reached).toEqual({ size: 40, failure: 'no room for 40' });
  expect(started).toHaveLength(30);
  const all = await reach(0, 3, async () => Promise.resolve());
  expect(all).toEqual({ size: 3, failure: null });
});

it('BE6 the size that was reached has a row with the error, after what was measured', () => {
  const ended = { size: 40, why: 'no. 41: no room' };
  const figures = growthFigures(SUBSCRIBERS, { samples: [sample(40, 1, 60, 1)], ended });
  expect(figures.at(-1)).toEqual({
    name: 'subscribers: size reached',
    value: 40,
    unit: 'subscribers',
    remark: 'no. 41: no room',
  });
  expect(figures[0]).toMatchObject({ name: '40 subscribers: CPU', value: 1 });
  expect(growthFigures(SUBSCRIBERS, { samples: [], ended })).toHaveLength(5);
});
