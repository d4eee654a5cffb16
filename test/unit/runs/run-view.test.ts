/** A run as clients read it: its numbers agree, and each line has its true witness. */
import { expect, it } from 'vitest';
import { runView } from '../../../server/runs/run-view.ts';
import type { Run } from '../../../shared/schema/runs/run.ts';
import { checked, replied, reviewed, RunLife, STOP } from '../../support/runs/run-life.ts';

function viewOf({ options, state, activeMs, wallMs }: RunLife): Run {
  const at = new Date(wallMs).toISOString();
  const request = { options, directory: '/srv/shop', isRepository: false };
  const plans = { agentPlan: null, acceptedPlan: null };
  const times = { createdBy: null, createdAt: at, updatedAt: at };
  const nothing = { worktree: null, place: null, hold: null, claim: null };
  const now = { activeMs, hasPendingInput: false, isValid: true, nowMs: wallMs };
  return runView({ id: 'r1', request, state, ...plans, ...times }, { ...nothing, ...now });
}

it('RN62 the current phase counts the time that passes, as the whole run does', () => {
  const life = RunLife.in('plan');
  life.activeMs += 60_000;
  life.happen(replied()).hear();
  life.activeMs += 30_000;
  const { active_seconds, phase, spent } = viewOf(life);
  expect([active_seconds, phase]).toEqual([90, 'execute']);
  expect([spent.plan.seconds, spent.execute.seconds]).toEqual([60, 30]);
});

it('RN62 the words of a reviewer are not those of the checks', () => {
  const over = (life: RunLife) => viewOf(life.happen(STOP).happen({ kind: 'ended' })).evidence;
  const [review] = over(RunLife.in('review').happen(reviewed('fail')));
  expect(review).toMatchObject({ witness: 'stream', lines: ['the name is missing'] });
  const life = RunLife.in('execute').happen(replied()).happen(checked('no greeting'));
  expect(over(life)[0]).toMatchObject({ witness: 'checks', lines: ['no greeting'] });
});
