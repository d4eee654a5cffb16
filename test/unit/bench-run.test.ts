/** The options of the bench, and what happens when a part fails. */
import { expect, it } from 'vitest';
import { benchOptions } from '../../bench/options.ts';
import { QUICK } from '../../bench/pace.ts';
import { loopParts } from '../../bench/run-parts.ts';

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
  expect(await loopParts({ last: async () => Promise.resolve([]) }, QUICK, none, none)).toBe(true);
});
