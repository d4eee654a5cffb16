/** Budgets from the shell, and a loop that may not start under a spent one. */
import { expect, it } from 'vitest';
import type { Budget } from '../../../shared/schema/usage/budget.ts';
import { TaskHome } from '../../support/tasks/task-home.ts';
import { World } from '../../support/daemon/world.ts';

it('BG9 BG11 the shell sets, lists, raises and removes budgets; a spent one refuses a loop', async () => {
  await using world = new World();
  const { api } = await world.start();
  const cli = async (...words: string[]) => world.cli('budget', ...words);
  expect((await cli('ls')).stdout).toContain('no budgets');
  const home = new TaskHome(world, api);
  await home.run('first', ['cost 1.5', 'say Done.'], { test_commands: [] });
  await home.until('first', 'COMPLETED');
  const set = await cli('set', 'day', 'cost', '1', '--why', 'one night');
  expect(set.stdout).toMatch(/^Cost of today: \$1\.5\d of \$1\.00 used\n$/);
  const listed = JSON.parse((await cli('ls', '--json')).stdout) as Budget[];
  expect(listed).toMatchObject([{ scope: 'day', limit: 1, why: 'one night', author: 'admin' }]);
  expect((await cli('ls')).stdout).toContain('one night');

  const directory = world.taskDir('web');
  await api.openSession('web', directory);
  const refused = await api.startLoop('web', directory);
  expect(refused).toMatchObject({ status: 409, body: { error: { code: 'budget_spent' } } });

  const id = String(listed[0]?.id);
  expect((await cli('raise', id, '1')).code).toBe(1);
  expect((await cli('raise', id, 'much')).code).toBe(2);
  expect((await cli('set', 'team:web', 'cost', '1')).code).toBe(2);
  expect((await cli('raise', id)).stdout).toMatch(/of \$2\.\d\d used\n$/);
  expect((await api.startLoop('web', directory)).status).toBe(201);
  expect((await cli('rm', id)).stdout).toBe(`${id}: removed\n`);
  expect((await cli('rm', id)).code).toBe(4);
});
