/** Budgets on a daemon: tasks at the same time under one, and the raise that lets them continue. */
import { expect, it } from 'vitest';
import type { Budget } from '../../../shared/schema/usage/budget.ts';
import { TaskHome } from '../../support/tasks/task-home.ts';
import { until } from '../../support/house/until.ts';
import { World } from '../../support/daemon/world.ts';

it('BG2 BG3 BG6 BG8 many tasks at once pass a budget by one turn at most; a raise continues them', async () => {
  await using world = new World({ LOOPWATCH_TASK_SLOTS: '4' });
  const { api } = await world.start();
  const home = new TaskHome(world, api);
  const limit = { scope: 'day', measure: 'cost', limit: 3, why: 'the night' };
  const set = (await api.send('PUT', '/api/budgets', limit)).body as unknown as Budget;
  const names = Array.from({ length: 6 }, (_, n) => `t${n}`);
  for (const name of names) {
    await home.run(name, ['cost 1', 'say Done.'], { test_commands: [], end_criteria: '' });
  }
  const all = async () => Promise.all(names.map(async (name) => home.get(name)));
  const budget = async () =>
    ((await api.get('/api/budgets')).body as unknown as { budgets: Budget[] }).budgets[0];
  await until('the budget is used up', async () => {
    const tasks = await all();
    return tasks.every(({ status }) => status === 'COMPLETED' || status === 'PAUSED');
  });
  const waiting = (await all()).filter(({ status }) => status === 'PAUSED');
  expect(waiting.length).toBeGreaterThan(0);
  for (const { reason, wait } of waiting) {
    expect(reason).toBe('budget');
    expect(wait?.evidence[0]?.lines[0]).toMatch(/^Cost of today: \$3\.\d\d of \$3\.00 used$/);
  }
  const used = (await budget())?.used ?? 0;
  expect(used).toBeGreaterThanOrEqual(3);
  // One turn costs a little over 1: its verdict costs too.
  expect(used).toBeLessThan(3 + 1.1);
  expect((await budget())?.holding.sort()).toEqual(
    waiting.map(({ task_name }) => `task:${task_name}`).sort(),
  );
  const refused = await api.send('POST', `/api/budgets/${set.id}/raise`, { limit: 3 });
  expect(refused.status).toBe(409);
  await api.send('POST', `/api/budgets/${set.id}/raise`, { limit: 50, why: 'release' });
  await until('all are done', async () =>
    (await all()).every(({ status }) => status === 'COMPLETED'),
  );
  const raised = await api.event('budget.raised');
  expect(raised.data).toMatchObject({ before: 3, limit: 50, why: 'release' });
  expect((await budget())?.holding).toEqual([]);
});

it('BG2 of two loops that are started at once under one budget, one begins', async () => {
  await using world = new World();
  const { api } = await world.start();
  await api.send('PUT', '/api/budgets', { scope: 'day', measure: 'cost', limit: 5 });
  const names = ['one', 'other'];
  for (const name of names) await api.openSession(name, world.taskDir(name));
  const started = await Promise.all(
    names.map(async (name) => api.startLoop(name, world.taskDir(name))),
  );
  expect(started.map(({ status }) => status).sort()).toEqual([201, 409]);
  const refused = started.find(({ status }) => status === 409);
  expect(refused?.body).toMatchObject({ error: { code: 'budget_spent' } });
});
