/** The rules of a run that is merged once it is complete. */
import { expect, it } from 'vitest';
import { runNeed } from '../../../server/runs/executor/run-need.ts';
import { reviewed, RunLife, STOP } from '../../support/runs/run-life.ts';

const COMPLETE = { kind: 'merged', into: 'main', commit: 'c9' } as const;

it('RN33 complete work is merged before the run is done', () => {
  const life = RunLife.in('review', { merge_into: 'main' }).happen(reviewed('pass'));
  expect([life.place, life.last]).toEqual(['complete merging', ['merge']]);
  expect(life.of('run.done')).toEqual([]);
  life.happen(COMPLETE);
  expect([life.place, life.last]).toEqual(['complete ending completed', ['end']]);
  life.happen({ kind: 'ended' });
  expect(life.place).toBe('complete over completed');
  expect(life.state.mergedInto).toBe('main');
  expect(life.of('run.merged')).toEqual([{ run: 'r1', into: 'main', commit: 'c9' }]);
  expect(runNeed(life.state)).toBeNull();
});

it('RN33 work that cannot be merged is done, stays on its branch, and a person learns why', () => {
  for (const [input, why] of [
    [{ kind: 'not_merged', why: 'conflicts with main' }, 'conflicts with main'],
    [{ kind: 'failed', error: 'git is gone' }, 'git is gone'],
    [STOP, 'it was stopped before the merge'],
  ] as const) {
    const life = RunLife.in('review', { merge_into: 'main' }).happen(reviewed('pass'));
    life.happen(input).happen({ kind: 'ended' });
    expect(life.place).toBe('complete over completed');
    expect(life.state.mergedInto).toBeNull();
    expect(life.of('run.not_merged')).toEqual([{ run: 'r1', into: 'main', why }]);
    expect(runNeed(life.state)).toMatchObject({ title: 'The work was not merged', detail: why });
    // A person merges it by hand.
    life.happen({ ...COMPLETE, author: 'Ada' });
    expect(runNeed(life.state)).toBeNull();
  }
});

it('RN33 without a branch to merge into, or with a failed run, nothing is merged', () => {
  const plain = RunLife.in('review').happen(reviewed('pass'));
  const failed = RunLife.in('review', { merge_into: 'main', max_fix_rounds: 0 });
  failed.happen(reviewed('fail'));
  expect([plain.place, failed.place]).toEqual([
    'complete ending completed',
    'review ending fix_limit',
  ]);
});

it('RN34 a merge that landed after a stop is reported', () => {
  const life = RunLife.in('review', { merge_into: 'main' }).happen(reviewed('pass'));
  life.happen(STOP).happen(COMPLETE).happen({ kind: 'ended' });
  expect([life.state.mergedInto, life.state.notMerged]).toEqual(['main', null]);
});
