/** The queue of tasks, and what a restart of the daemon does to tasks at work. */
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { git } from '../../support/git/git-repository.ts';
import { standInCalls } from '../../support/agents/stand-in-calls.ts';
import { script, TaskHome } from '../../support/tasks/task-home.ts';
import { until } from '../../support/house/until.ts';
import { World } from '../../support/daemon/world.ts';

/** At once, since they mostly wait. */
const it = test.concurrent;

const DONE = 'say The task is complete.';

it('TK18, TK28, TK29 with one slot, tasks start by priority, and each after those it depends on', async () => {
  await using world = new World({ LOOPWATCH_TASK_SLOTS: '1' });
  const { api } = await world.start();
  const tasks = new TaskHome(world, api);
  await tasks.run('first', ['hang']);
  await tasks.until('first', 'RUNNING');
  await tasks.create('needed', { description: script(DONE), priority: -1 });
  await tasks.run('last', [DONE], { depends_on: ['needed'], priority: 9 });
  await tasks.run('second', [DONE]);
  await tasks.run('important', [DONE], { priority: 5 });
  const { status, wait } = await tasks.get('last');
  expect([status, wait?.reason, wait?.next]).toEqual([
    'PENDING',
    'dependency',
    'Starts when needed is completed.',
  ]);
  expect(await tasks.get('second')).toMatchObject({
    status: 'PENDING',
    wait: { reason: 'concurrency' },
  });
  expect((await tasks.post('needed', 'start')).body).toMatchObject({ status: 'queued' });
  await tasks.post('first', 'stop');
  await tasks.until('last', 'COMPLETED');
  const order = standInCalls(world).map(({ cwd }) => cwd.split('/').at(-1));
  expect(order).toEqual(['first', 'important', 'second', 'needed', 'last']);
});

it('TK8 a queued task can be stopped', async () => {
  await using world = new World({ LOOPWATCH_TASK_SLOTS: '1' });
  const { api } = await world.start();
  const tasks = new TaskHome(world, api);
  await tasks.run('first', ['hang']);
  await tasks.run('second', [DONE]);
  const { body } = await tasks.post('second', 'stop');
  expect(body).toMatchObject({ process_killed: false, termination_method: 'none' });
  expect((await tasks.get('second')).status).toBe('STOPPED');
});

it('TK9 of two tasks that wait for one quota one tries first, and the other follows once it works', async () => {
  await using world = new World({ LOOPWATCH_QUOTA_DELAYS_MS: '1' });
  const { api } = await world.start();
  const tasks = new TaskHome(world, api);
  const steps = ['limit 1', 'turn 2 wait 2000', `turn 2 ${DONE}`];
  await Promise.all([tasks.run('one', steps), tasks.run('other', steps)]);
  await Promise.all([tasks.until('one', 'COMPLETED'), tasks.until('other', 'COMPLETED')]);
  const events = await tasks.api.events('&types=task.status');
  const begun = events.flatMap(({ at, data }) => {
    const { status, before } = data as { status: string; before: string };
    return status === 'RUNNING' && before === 'PAUSED' ? [Date.parse(at)] : [];
  });
  expect(begun).toHaveLength(2);
  // The first one has answered by then.
  expect((begun[1] ?? 0) - (begun[0] ?? 0)).toBeGreaterThan(2_000);
});

it('TK15 a turn continues without its daemon, and the next one reads all of it', async () => {
  await using world = new World();
  const daemon = await world.spawn();
  const tasks = new TaskHome(world, daemon.api);
  await tasks.run('greet', ['say Before.', 'wait 3000', 'write late.txt x', DONE]);
  await until('it has begun', async () => (await tasks.get('greet')).claude_session_id !== null);
  await tasks.say('greet', 'Words for later');
  await daemon.kill();
  await until('its turn is over', () => {
    return existsSync(join(tasks.repository, '.claude_worktrees/greet/late.txt'));
  });
  tasks.api = (await world.spawn()).api;
  await tasks.until('greet', 'COMPLETED');
  const { conversation } = await tasks.conversation('greet');
  const texts = conversation.map((each) => ('content' in each ? each.content : ''));
  expect(texts.filter((content) => content === 'Before.')).toHaveLength(1);
  expect(texts.filter((content) => content === 'Words for later')).toHaveLength(1);
  expect(standInCalls(world).filter(({ message }) => message === 'Words for later')).toHaveLength(
    1,
  );
});

it.each(['stop', 'resume'])('TK27, TK25 a turn cut off while no daemon ran: %s', async (policy) => {
  await using world = new World({ LOOPWATCH_TASK_INTERRUPTED: policy });
  const daemon = await world.spawn();
  const tasks = new TaskHome(world, daemon.api);
  await tasks.run('greet', ['write draft.txt half', 'hang', `turn 2 ${DONE}`]);
  const task = await until('a draft', async () => {
    const seen = await tasks.get('greet');
    const isHeard = seen.process_pid !== null && seen.claude_session_id !== null;
    return isHeard && existsSync(join(seen.worktree_path ?? '', 'draft.txt')) ? seen : null;
  });
  await daemon.kill();
  process.kill(-(task.process_pid ?? 0), 'SIGKILL');
  tasks.api = (await world.spawn()).api;
  if (policy === 'resume') {
    await tasks.until('greet', 'COMPLETED');
    expect(standInCalls(world)[1]?.argv[1]).toBe(task.claude_session_id);
    return;
  }
  expect(await tasks.until('greet', 'STOPPED')).toMatchObject({ reason: 'interrupted' });
  const { body } = await tasks.api.get('/api/attention');
  expect(body['items']).toMatchObject([{ task: 'greet', reason: 'interrupted' }]);
  await tasks.post('greet', 'resume');
  await tasks.until('greet', 'COMPLETED');
});

it.each([
  // Its client writes it while no daemon runs, or after the next one has begun to look.
  ['its own error', ['wait 2000', 'odd-error'], false],
  ['a kill that the next daemon sees', ['hang'], true],
] as const)(
  'TK13, TK15 a turn that outlived its daemon is retried after %s',
  async (_, steps, kill) => {
    await using world = new World({ LOOPWATCH_ERROR_DELAYS_MS: '1' });
    const daemon = await world.spawn();
    const tasks = new TaskHome(world, daemon.api);
    await tasks.run('greet', ['say Begun.', ...steps, `turn 2 ${DONE}`]);
    const pid = await until('a turn that is heard', async () => {
      const { process_pid, claude_session_id } = await tasks.get('greet');
      return claude_session_id === null ? null : process_pid;
    });
    await daemon.kill();
    if (!kill) await until('the end of the turn', () => !existsSync(`/proc/${pid}`));
    tasks.api = (await world.spawn()).api;
    if (kill) process.kill(-pid, 'SIGKILL');
    await tasks.until('greet', 'COMPLETED');
    const statuses = (await tasks.api.events('&types=task.status')).map(
      ({ data }) => (data as { status: string }).status,
    );
    expect(statuses).not.toContain('STOPPED');
  },
);

it('TK19 says what will happen to the work before it is removed, and keeps all of it', async () => {
  await using world = new World();
  const { api } = await world.start();
  const tasks = new TaskHome(world, api);
  await tasks.run('greet', ['write a.txt committed', 'commit Greet', DONE]);
  const { worktree_path: place } = await tasks.until('greet', 'COMPLETED');
  writeFileSync(join(place ?? '', 'b.txt'), 'in no commit\n');
  const { body } = await tasks.api.get('/api/v1/tasks/by-name/greet/worktree');
  expect(body['worktrees']).toMatchObject([{ dirty: ['b.txt'], unmerged_commits: 1 }]);
  const { body: cleared } = await tasks.post('greet', 'clear-and-restart');
  expect(String(cleared['git_cleanup'])).toContain('refs/loopwatch/backup/greet');
  await tasks.until('greet', 'COMPLETED');
  await tasks.api.send('DELETE', '/api/v1/tasks/by-name/greet');
  expect(existsSync(place ?? '')).toBe(false);
  const refs = git(
    tasks.repository,
    'for-each-ref',
    '--format=%(refname)',
    'refs/loopwatch/backup',
  );
  const kept = refs.split('\n').map((ref) => git(tasks.repository, 'ls-tree', '--name-only', ref));
  expect(kept.some((files) => files.includes('a.txt') && files.includes('b.txt'))).toBe(true);
});
