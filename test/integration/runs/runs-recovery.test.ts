/** What a restart and a resume find: the plan of the row, and limits that can be raised. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { RunHome } from '../../support/runs/run-home.ts';
import { World } from '../../support/daemon/world.ts';

it('RN10 a file of an earlier plan is replaced after a restart, an edited one stays', async () => {
  await using world = new World();
  const { api, daemon } = await world.start();
  const runs = new RunHome(world, api);
  const { id } = await runs.start(['in plan turn 1 say # The newest plan'], { review_plan: true });
  await runs.until(id, 'waiting');
  const plan = join(world.home, 'sessions', id, 'plan', 'plan.md');
  const agents = join(world.home, 'sessions', id, 'plan', 'plan.agent.md');
  await daemon.close();
  // Killed after the row was stored and before the files were.
  writeFileSync(plan, '# An earlier plan');
  writeFileSync(agents, '# An earlier plan');
  const second = await world.start();
  expect((await second.api.get(`/api/runs/${id}/plan`)).body['text']).toBe('# The newest plan');
  await second.daemon.close();
  writeFileSync(plan, '# The newest plan, edited');
  const third = await world.start();
  const text = '# The newest plan, edited';
  expect((await third.api.get(`/api/runs/${id}/plan`)).body['text']).toBe(text);
  expect(readFileSync(agents, 'utf8')).toBe('# The newest plan');
});

it('RN19 a resume raises the limit of the phase that ended the run', async () => {
  await using world = new World();
  const { api } = await world.start();
  const runs = new RunHome(world, api);
  const steps = [
    'in review turn 1 cost 5',
    'in review turn 1 review none I am not sure.',
    'in review turn 2 review pass Nothing is missing.',
  ];
  const { id } = await runs.start(steps, { phases: { review: { max_cost_usd: 1 } } });
  expect(await runs.until(id, 'failed')).toMatchObject({ phase: 'review', reason: 'max_cost' });
  expect((await runs.post(id, 'resume')).status).toBe(409);
  expect((await runs.post(id, 'resume', { add_cost_usd: 10 })).status).toBe(200);
  const run = await runs.until(id, 'done');
  expect(run.options.phases.review).toEqual({ max_cost_usd: 15 });
});
