/** The charts of the bench. */
import { expect, it } from 'vitest';
import { barCharts } from '../../../bench/report/bar-charts.ts';
import type { Figure } from '../../../bench/report/figures.ts';
import { markdown } from '../../../bench/report/markdown.ts';

const figure = (resource: string, axis: string, size: number, value: number): Figure => ({
  name: 'n',
  value,
  unit: 'MB',
  chart: { resource, axis, size },
});

it('BE6 each resource is a chart of aligned bars, the longest for its largest value', () => {
  const figures = [
    figure('memory', 'loops', 1, 0),
    figure('memory', 'loops', 10, 50),
    figure('memory', 'tasks', 1_000, 1_600),
    { name: 'slope', value: 9_999, unit: 'MB' },
    figure('CPU', 'loops', 10, 0.001),
    figure('CPU', 'loops', 20, 20),
  ];
  const space = (count: number) => ' '.repeat(count);
  const full = '█'.repeat(40);
  expect(barCharts(figures)).toEqual([
    '',
    '```text',
    'memory',
    `loops     1  ${space(40)}   0.00  MB`,
    `loops    10  █▎${space(38)}  50.00  MB`,
    `tasks  1000  ${full}   1600  MB`,
    '```',
    '',
    '```text',
    'CPU',
    `loops  10  ▏${space(39)}   0.00  MB`,
    `loops  20  ${full}  20.00  MB`,
    '```',
  ]);
  expect(barCharts([{ name: 'n', value: 1, unit: 'ms' }])).toEqual([]);
});

it('BE6 the charts follow the table of their part', () => {
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
  const figures = ['CPU', 'memory', 'latency'].map((resource) => figure(resource, 'loops', 1, 2));
  const page = markdown({ machine, quick: false, noise: {}, parts: { growth: figures, page: [] } });
  const [, growth = '', after] = page.split(/^(?=## )/m);
  expect(growth.match(/^```text\n\w+$/gm)).toEqual([
    '```text\nCPU',
    '```text\nmemory',
    '```text\nlatency',
  ]);
  expect(growth.lastIndexOf('\n|')).toBeLessThan(growth.indexOf('```'));
  expect(after).not.toContain('```');
});
