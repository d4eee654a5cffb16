/** The setup of a project in the life of a task: before its first turn, stopped, killed, failed. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { agentsBelow } from '../../support/agents/agent-census.ts';
import { standInCalls } from '../../support/agents/stand-in-calls.ts';
import { TaskHome } from '../../support/tasks/task-home.ts';
import { until } from '../../support/house/until.ts';
import { World } from '../../support/daemon/world.ts';

/** At once, since they mostly wait. */
const it = test.concurrent;

const DONE = 'say The implementation is complete.';

/** A daemon with tasks, and the setup of their repository. */
async function openHome(world: World, setup: object): Promise<TaskHome> {
  const { api } = await world.spawn();
  const tasks = new TaskHome(world, api);
  const body = { path: tasks.repository, ...setup };
  expect((await api.send('PUT', '/api/projects/setups', body)).status).toBe(200);
  return tasks;
}

it('WT63 a task is set up before its first turn, and its gates see what it got', async () => {
  await using world = new World();
  const tasks = await openHome(world, { copy: ['.env'], setup: 'cp .env made.txt' });
  writeFileSync(join(tasks.repository, '.git/info/exclude'), '.env\n');
  writeFileSync(join(tasks.repository, '.env'), 'KEY=1\n');
  const gates = [{ name: 'env', command: 'test -f .env && test -f made.txt' }];
  await tasks.run('fix', [DONE], { gates });
  expect(await tasks.until('fix', 'COMPLETED')).toMatchObject({ completion: { proof: 'proven' } });
  const events = await tasks.api.events('&types=task.worktree');
  const steps = events.map(({ data }) => (data as { action: string }).action);
  expect(steps).toEqual(['created', 'setup_started', 'set_up']);
});

it('WT63 a setup that fails is the reason of the task, and its next start tries again', async () => {
  await using world = new World();
  const tasks = await openHome(world, { setup: 'test -f ../../go || { echo no go; exit 7; }' });
  await tasks.run('fix', [DONE]);
  const failed = await tasks.until('fix', 'FAILED');
  expect(failed).toMatchObject({ reason: 'worktree_failed' });
  expect(failed.error_message).toMatch(/failed: exit code 7: no go; fix it, then recover the task/);
  expect(standInCalls(world)).toEqual([]);
  writeFileSync(join(tasks.repository, 'go'), '');
  expect((await tasks.post('fix', 'recover')).status).toBe(200);
  await tasks.until('fix', 'COMPLETED');
});

it('WT63 a stop ends a setup with all that it started', async () => {
  await using world = new World();
  const tasks = await openHome(world, {
    setup: 'touch ../../began; setsid sleep 987654 & sleep 987654',
  });
  await tasks.run('fix', [DONE]);
  await until('it is being set up', () => existsSync(join(tasks.repository, 'began')));
  await tasks.post('fix', 'stop');
  await tasks.until('fix', 'STOPPED');
  await until('nothing of it runs', () => agentsBelow(tasks.repository).length === 0);
});

it('WT63 a daemon killed during a setup is followed by one that ends it and begins again', async () => {
  await using world = new World();
  const daemon = await world.spawn();
  const tasks = new TaskHome(world, daemon.api);
  const line = 'echo x >> ../../begun; test -f ../../go || sleep 987654';
  const body = { path: tasks.repository, setup: line };
  await daemon.api.send('PUT', '/api/projects/setups', body);
  await tasks.run('fix', [DONE]);
  await until('it is being set up', () => existsSync(join(tasks.repository, 'begun')));
  await daemon.kill();
  expect(agentsBelow(tasks.repository)).toHaveLength(1);
  writeFileSync(join(tasks.repository, 'go'), '');
  tasks.api = (await world.spawn()).api;
  await tasks.until('fix', 'COMPLETED');
  await until('nothing of it runs', () => agentsBelow(tasks.repository).length === 0);
  expect(readFileSync(join(tasks.repository, 'begun'), 'utf8')).toBe('x\nx\n');
});
