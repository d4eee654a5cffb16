/** The options of the bench, and what happens when a part fails. */
import { expect, it } from 'vitest';
import { benchOptions } from '../../../bench/options.ts';
import { QUICK } from '../../../bench/pace.ts';
import { machineNoise } from '../../../bench/rig/machine-noise.ts';
import { table } from '../../../bench/report/table.ts';
import { loopParts } from '../../../bench/run-parts.ts';

it('BE4 an unknown request is refused with what can be requested', () => {
  const known = ['fan-out', 'idle'];
  expect(benchOptions([], known)).toMatchObject({ parts: known, isQuick: false, docs: false });
  expect(benchOptions(['idle', '--quick', '--output', 'x'], known)).toMatchObject({
    parts: ['idle'],
    isQuick: true,
    output: 'x',
  });
  expect(benchOptions(['idel'], known)).toBe('no part "idel": the parts are fan-out, idle');
  expect(benchOptions(['--fast'], known)).toContain('--fast');
});

/** Of two cores for ten seconds, in ticks of 10 ms. */
const span = (from: number, busy: number, stolen: number) =>
  [
    { total: from, idle: from / 2, stolen: 7 },
    { total: from + 2_000, idle: from / 2 + 2_000 - busy - stolen, stolen: 7 + stolen },
  ] as const;
const quiet = async () => Promise.resolve(span(0, 20, 0));

it('BE7 what others did on the machine is named, and figures are not judged', () => {
  const rest = span(1_000, 20, 0);
  expect(machineNoise(rest, span(3_000, 20, 0))).toBeNull();
  expect(machineNoise(span(1_000, 400, 0), rest)).toBe(
    'other programs used 20 % of the processors',
  );
  expect(machineNoise(rest, span(3_000, 500, 0))).toBe(
    'other programs used 25 % of the processors',
  );
  expect(machineNoise(rest, span(3_000, 0, 199))).toMatch(
    /^the host took \d+ % of the processors$/,
  );
  const none = { total: 0, idle: 0, stolen: 0 };
  expect(machineNoise([none, none], [none, none])).toBeNull();
  const goal = { direction: 'at most', value: 2 } as const;
  const lines = table([{ name: 'n', value: 1, unit: 'ms', goal }], 'others worked');
  expect(lines).toEqual(['n  1.00  ms  ≤ 2 ms  not judged', 'not judged: others worked']);
});

it('BE4 a part that fails is reported and leaves the others', async () => {
  const figure = { name: 'n', value: 1, unit: 'ms' };
  const measured: unknown[] = [];
  const isWhole = await loopParts(
    {
      first: async () => Promise.resolve([figure]),
      broken: async () => Promise.reject(new Error('too few files')),
      last: async () => Promise.resolve([]),
    },
    QUICK,
    quiet,
    (name, figures) => measured.push([name, figures]),
    (name, message) => measured.push([name, message]),
  );
  expect(measured).toEqual([
    ['first', [figure]],
    ['broken', 'too few files'],
    ['last', []],
  ]);
  expect(isWhole).toBe(false);
  const none = () => undefined;
  const parts = { last: async () => Promise.resolve([]) };
  expect(await loopParts(parts, QUICK, quiet, none, none)).toBe(true);
});
