/** A real daemon, killed between doing what came with a key and answering it. */
import { existsSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { KeyedClient } from '../../support/transport/keyed-client.ts';
import { TaskHome } from '../../support/tasks/task-home.ts';
import { until } from '../../support/house/until.ts';
import { World } from '../../support/daemon/world.ts';
import { ApiClient } from '../../support/daemon/api-client.ts';

it('IK5 IK1 a task stored before the kill is created once, gets its answer, and starts', async () => {
  await using world = new World({ LOOPWATCH_TERMINAL: 'pty' });
  const [hold, held] = [join(world.root, 'hold'), join(world.root, 'held')];
  const { repository } = new TaskHome(world, new ApiClient('', ''));
  // git adds no worktree while it is held; after the kill it ends without having done anything.
  world.writeProgram(
    'git',
    `case "$*" in *"worktree add"*) if [ -e "${hold}" ]; then
       touch "${held}"; while [ -e "${hold}" ]; do sleep 0.05; done; exit 1; fi;; esac
     exec /usr/bin/git "$@"`,
  );
  writeFileSync(hold, '');
  const body = {
    task_name: 'greet',
    description: 'Greet by name.\nstand-in: hang',
    root_folder: repository,
    auto_start: true,
  };
  const first = await world.spawn();
  const asked = new KeyedClient(first.api).post('k', '/api/v1/tasks', body).catch(() => null);
  await until('git is held', () => existsSync(held));
  const meanwhile = await new KeyedClient(first.api).post('k', '/api/v1/tasks', body);
  expect(meanwhile).toMatchObject({ status: 409, code: 'in_progress' });
  await first.kill();
  expect(await asked).toBeNull();
  rmSync(hold);

  const second = await world.spawn();
  const keyed = new KeyedClient(second.api);
  const again = await keyed.post('k', '/api/v1/tasks', body);
  expect(again).toMatchObject({ status: 200, replayed: 'true', body: { task_name: 'greet' } });
  expect(await keyed.post('k', '/api/v1/tasks', body)).toEqual(again);
  const created = await second.api.events('&types=task.created');
  expect(created).toHaveLength(1);
  const tasks = new TaskHome(world, second.api, 'other');
  await tasks.until('greet', 'RUNNING');
  await second.kill();

  const third = await world.spawn();
  expect(await new KeyedClient(third.api).post('k', '/api/v1/tasks', body)).toEqual(again);
});
