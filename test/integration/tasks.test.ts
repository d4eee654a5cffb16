/** Tasks from their description to their end: a real daemon, real git, the stand-in as the agent. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { git } from '../support/git-repository.ts';
import { TaskHome } from '../support/task-home.ts';
import { World } from '../support/world.ts';

it('TK1 a task works in its own worktree and branch until it says that it is done', async () => {
  await using world = new World();
  const { api } = await world.start();
  const home = new TaskHome(world, api);
  await home.run('greet', [
    'write hello.txt Hello',
    'commit Greet',
    'say The implementation is complete.',
  ]);
  const task = await home.until('greet', 'COMPLETED');
  expect(task).toMatchObject({ reason: 'claimed_done', iterations: 1, branch_name: 'task/greet' });
  expect(task.completion).toMatchObject({ claimed_by: 'agent', proof: 'unproven' });
  const place = task.worktree_path ?? '';
  expect(readFileSync(join(place, 'hello.txt'), 'utf8').trim()).toBe('Hello');
  expect(existsSync(join(home.repository, 'hello.txt'))).toBe(false);
  expect(git(home.repository, 'log', '--format=%s', 'task/greet')).toBe('Greet\nBegin');
  expect(git(home.repository, 'status', '--porcelain')).toBe('');
});
