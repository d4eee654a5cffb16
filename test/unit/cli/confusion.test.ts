/** How the trials with real clients judge what was shown. */
import { expect, it } from 'vitest';
import { type Change, confusionOf, type Sighting } from '../../../trials/record/confusion.ts';

const CHANGES: Change[] = [
  { atMs: 0, group: 'idle' },
  { atMs: 10_000, group: 'working' },
  { atMs: 20_000, group: 'waiting' },
];

function judged(...sightings: [number, Sighting['group']][]) {
  return confusionOf(
    CHANGES,
    sightings.map(([atMs, group]) => ({ atMs, group })),
  );
}

it('a state is right for a second after it has changed', () => {
  const confusion = judged([9_900, 'idle'], [10_900, 'idle'], [10_900, 'working']);
  expect(confusion).toMatchObject({ polls: 3, right: 3, wrong: {} });
});

it('after that it is wrong, by pair', () => {
  const confusion = judged([11_100, 'idle'], [12_000, 'idle'], [9_000, 'waiting']);
  expect(confusion).toMatchObject({
    right: 0,
    wrong: { 'working > idle': 2, 'idle > waiting': 1 },
  });
});

it('a waiting agent shown as working is the worst, and its time is kept', () => {
  expect(judged([20_900, 'working'], [23_500, 'working']).falselyWorkingMs).toBe(3_500);
  expect(judged([12_500, 'idle']).falselyWorkingMs).toBe(0);
});

it('while the truth is open, and for a second after, nothing is judged', () => {
  const changes: Change[] = [
    ...CHANGES,
    { atMs: 30_000, group: null },
    { atMs: 40_000, group: 'idle' },
  ];
  const seen = [30_500, 35_000, 40_500, 42_000].map((atMs) => ({
    atMs,
    group: 'working' as const,
  }));
  expect(confusionOf(changes, seen)).toMatchObject({ polls: 1, wrong: { 'idle > working': 1 } });
});

it('without an answer of the daemon nothing is judged', () => {
  expect(judged([15_000, null]).polls).toBe(0);
});
