/** What several people do to one task at the same time. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { git } from '../../support/git/git-repository.ts';
import { standInCalls } from '../../support/agents/stand-in-calls.ts';
import { script, TaskHome } from '../../support/tasks/task-home.ts';
import { until } from '../../support/house/until.ts';
import { World } from '../../support/daemon/world.ts';

const DONE = 'say The task is complete.';

async function home(world: World) {
  const { api } = await world.start();
  return new TaskHome(world, api);
}

it('TK20 of two people who create one name or one place at once, one is refused', async () => {
  await using world = new World();
  const tasks = await home(world);
  const create = async (task_name: string, more: object = {}) => {
    const body = { task_name, description: 'Greet.', root_folder: tasks.repository, ...more };
    return tasks.api.send('POST', '/api/v1/tasks', body);
  };
  const same = await Promise.all([create('greet'), create('Greet'), create('greet')]);
  expect(same.map(({ status }) => status).sort()).toEqual([200, 400, 400]);
  const alone = { use_worktree: false, root_folder: world.taskDir('other') };
  const places = await Promise.all([create('one', alone), create('two', alone)]);
  expect(places.map(({ status }) => status).sort()).toEqual([200, 400]);
});

it('TK20 of two people who delete one task at once, one gets the answer that it is deleted', async () => {
  await using world = new World();
  const tasks = await home(world);
  await tasks.run('greet', ['hang']);
  await tasks.until('greet', 'RUNNING');
  const remove = async () => tasks.api.send('DELETE', '/api/v1/tasks/by-name/greet');
  const answers = await Promise.all([remove(), remove()]);
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 404]);
  expect(existsSync(join(tasks.repository, '.claude_worktrees/greet'))).toBe(false);
});

it('TK20 a task that is resumed while it is deleted never runs', async () => {
  await using world = new World();
  const tasks = await home(world);
  await tasks.create('greet', { description: script('hang') });
  const remove = tasks.api.send('DELETE', '/api/v1/tasks/by-name/greet');
  await tasks.post('greet', 'start');
  expect((await remove).status).toBe(200);
  expect((await tasks.post('greet', 'start')).status).toBe(404);
  expect(standInCalls(world)).toEqual([]);
  expect(git(tasks.repository, 'worktree', 'list').split('\n')).toHaveLength(1);
});

it('TK20 two people who clear a task at once leave one that runs', async () => {
  await using world = new World();
  const tasks = await home(world);
  await tasks.run('greet', ['wait 300', DONE]);
  await tasks.until('greet', 'RUNNING');
  const clear = async () => tasks.post('greet', 'clear-and-restart');
  const answers = await Promise.all([clear(), clear()]);
  expect(answers.map(({ status }) => status)).toEqual([200, 200]);
  const { iterations } = await tasks.until('greet', 'COMPLETED');
  expect(iterations).toBe(1);
});

it('TK20 a task that is started while its worktrees change begins in the new ones', async () => {
  await using world = new World();
  const tasks = await home(world);
  await tasks.create('greet', { description: script('write here.txt x', DONE) });
  const path = '/api/v1/tasks/by-name/greet';
  const change = tasks.api.send('PUT', path, { branch_name: 'elsewhere' });
  await tasks.get('greet');
  await tasks.post('greet', 'start');
  expect((await change).body).toMatchObject({ branch_name: 'elsewhere' });
  expect(await tasks.until('greet', 'COMPLETED')).toMatchObject({ branch_name: 'elsewhere' });
  expect(standInCalls(world)).toHaveLength(1);
});

it('TK20 a task that is deleted while its worktrees are created leaves nothing', async () => {
  await using world = new World();
  const tasks = await home(world);
  await tasks.create('greet', { description: script('hang') });
  const worktree = join(tasks.repository, '.claude_worktrees/greet');
  git(tasks.repository, 'worktree', 'remove', '--force', worktree);
  await tasks.post('greet', 'start');
  const { status } = await tasks.api.send('DELETE', '/api/v1/tasks/by-name/greet');
  expect([status, existsSync(worktree)]).toEqual([200, false]);
  expect(git(tasks.repository, 'worktree', 'list').split('\n')).toHaveLength(1);
});

it('TK8, TK25 a task that is resumed while its agent ends has one agent, in one conversation', async () => {
  await using world = new World();
  const tasks = await home(world);
  await tasks.run('greet', ['deaf', 'hang', `turn 2 ${DONE}`]);
  await until('it is heard', async () => (await tasks.get('greet')).claude_session_id !== null);
  const stop = tasks.post('greet', 'stop');
  await tasks.until('greet', 'STOPPED');
  expect((await tasks.post('greet', 'resume')).status).toBe(200);
  await stop;
  await tasks.until('greet', 'COMPLETED');
  expect(standInCalls(world)).toHaveLength(2);
});
