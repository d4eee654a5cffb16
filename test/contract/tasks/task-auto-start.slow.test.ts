/** Where a loop may be started, and what prevents it. */
import { existsSync, mkdirSync, readdirSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import type { ApiClient } from '../../support/daemon/api-client.ts';
import { git, gitRepository } from '../../support/git/git-repository.ts';
import { refusal } from '../../support/daemon/refusal.ts';
import { openShell, runInShell, typeInto } from '../../support/terminals/terminal-view.ts';
import { until } from '../../support/house/until.ts';
import { World } from '../../support/daemon/world.ts';

async function withSessions(world: World, ...names: string[]): Promise<ApiClient> {
  world.writeProgram('claude', 'exec sleep 1000');
  const { api } = await world.start();
  for (const name of names) await openShell(api, name, world.taskDir(`of-${name}`));
  return api;
}

it('LP4, SE7 a busy session is 409 session_busy and says which loop it runs', async () => {
  await using world = new World();
  const api = await withSessions(world, 'web');
  const taskDir = world.taskDir('one');
  await api.startLoop('web', taskDir);
  const second = await api.startLoop('web', world.taskDir('two'));
  expect(refusal(second)).toBe('409 session_busy');
  expect(second.body.error).toMatchObject({
    details: { session_name: 'web', task_dir: taskDir },
  });
});

it('LP4 a busy directory is 409 task_dir_busy, by any path to it', async () => {
  await using world = new World();
  const api = await withSessions(world, 'web', 'other');
  const taskDir = world.taskDir('one');
  symlinkSync(taskDir, join(world.root, 'tasks', 'link'));
  symlinkSync(join(world.root, 'tasks'), join(world.root, 'tasks', 'up'));
  await api.startLoop('web', taskDir);
  const tasks = join(world.root, 'tasks');
  const paths = [taskDir, `${taskDir}/`, `${tasks}/link`, `${tasks}/up/up/one`, `${tasks}//./one`];
  const refusals = [];
  for (const path of paths) refusals.push(refusal(await api.startLoop('other', path)));
  expect(refusals).toEqual(paths.map(() => '409 task_dir_busy'));
});

it('LP4 of twenty starts at once on one directory one is 201 and nineteen are 409', async () => {
  await using world = new World();
  const names = ['a', 'b', 'c', 'd'];
  const api = await withSessions(world, ...names);
  const taskDir = world.taskDir('one');
  const answers = await Promise.all(
    Array.from({ length: 20 }, async (_, index) =>
      api.startLoop(names[index % names.length] ?? '', taskDir),
    ),
  );
  const statuses = answers.map(({ status }) => status).sort();
  expect(statuses).toEqual([201, ...Array.from({ length: 19 }, () => 409)]);
  expect((await api.events('&types=auto.started,auto.ended')).length).toBe(1);
  expect((await api.get('/api/task-auto')).body['loops']).toHaveLength(1);
});

it('SE8 a task directory lies below the roots by its real path, segment by segment', async () => {
  await using world = new World();
  const api = await withSessions(world, 'web');
  const tasks = join(world.root, 'tasks');
  mkdirSync(join(world.root, 'tasks-evil'));
  symlinkSync(join(world.root, 'user'), join(tasks, 'way-out'));
  const start = async (path: string) => refusal(await api.startLoop('web', path));
  expect({
    twin: await start(join(world.root, 'tasks-evil')),
    wayOut: await start(join(tasks, 'way-out')),
    dots: await start(`${tasks}/../user`),
    above: await start(world.root),
    proc: await start('/proc/self/cwd'),
  }).toEqual({
    twin: '400 outside_roots',
    wayOut: '400 outside_roots',
    dots: '400 outside_roots',
    above: '400 outside_roots',
    proc: '400 outside_roots',
  });
});

it('WI1 a path that is not a directory is 404 task_dir_missing', async () => {
  await using world = new World();
  const api = await withSessions(world, 'web');
  const tasks = join(world.root, 'tasks');
  writeFileSync(join(tasks, 'file'), '');
  symlinkSync(join(tasks, 'nowhere'), join(tasks, 'dangling'));
  symlinkSync(join(tasks, 'loop'), join(tasks, 'loop'));
  const refusals = [];
  for (const name of ['none', 'file', 'file/below', 'dangling', 'loop', 'x'.repeat(255)]) {
    refusals.push(refusal(await api.startLoop('web', join(tasks, name))));
  }
  expect(refusals).toEqual(refusals.map(() => '404 task_dir_missing'));
});

it('LP38 a directory in a linked worktree is 400 unsafe_task_dir: signals land in the main one', async () => {
  await using world = new World();
  const api = await withSessions(world, 'web');
  const project = gitRepository(join(world.root, 'tasks', 'project'));
  const worktrees = [join(world.root, 'tasks', 'feature'), join(project, '.worktrees', 'one')];
  for (const path of worktrees) {
    git(project, 'worktree', 'add', '--quiet', '--detach', path);
    mkdirSync(join(path, 'AiTasks/one'), { recursive: true });
    for (const below of ['', 'AiTasks/one']) {
      const { status, body } = await api.startLoop('web', join(path, below));
      const main_task_dir = join(project, below);
      const error = { code: 'unsafe_task_dir', details: { main_task_dir } };
      expect({ status, body }).toMatchObject({ status: 400, body: { error } });
    }
  }
});

const UNSAFE = [
  '$(touch pwned)',
  '`touch pwned`',
  '$HOME',
  '${HOME}',
  '#(touch pwned)',
  '#{pid}',
  'a"b',
  "a'b",
  'a;touch pwned',
  'a&touch pwned',
  'a|touch pwned',
  'a>pwned',
  'a<b',
  'a\nb',
  'a\rb',
  'a\tb',
  'a\\b',
  '!!',
  'a*b',
  'a?b',
  '[a]',
  '{a,b}',
  '(a)',
  '^a',
  'a\u0000b',
  'a\u001bb',
  'a\u007fb',
  'a\u0085b',
  'a\u202eb',
  'a\u00a0b',
  'e\u0301',
  '😀',
];

it('LP2 a path that is not inert in a shell is 400 unsafe_task_dir, and nothing runs', async () => {
  await using world = new World();
  const api = await withSessions(world, 'web');
  const refusals: Record<string, string> = {};
  for (const name of UNSAFE) {
    const path = `${join(world.root, 'tasks')}/${name}`;
    // It must exist: otherwise "missing" could hide that it was about to be typed.
    if (!name.includes('\0')) mkdirSync(path, { recursive: true });
    refusals[name] = refusal(await api.startLoop('web', path));
  }
  expect(refusals).toEqual(Object.fromEntries(UNSAFE.map((name) => [name, '400 unsafe_task_dir'])));
  expect(filesNamed(world.root, 'pwned')).toEqual([]);
  expect(await api.events('&types=auto.*')).toEqual([]);
});

it.each(['one', './one', '~/one', ' /tmp', '', '/x'.repeat(513)])(
  'LP2 the task directory %j is 400',
  async (path) => {
    await using world = new World();
    const api = await withSessions(world, 'web');
    expect((await api.startLoop('web', path)).status).toBe(400);
  },
);

it('LP2 a safe name that leads to an unsafe one is unsafe', async () => {
  await using world = new World();
  const api = await withSessions(world, 'web');
  const link = join(world.root, 'tasks', 'link');
  symlinkSync(world.taskDir('$(touch pwned)'), link);
  expect(refusal(await api.startLoop('web', link))).toBe('400 unsafe_task_dir');
});

it.each(['sleep 1000', 'cat', 'sh -c "sleep 1000; true"'])(
  'LP37 with %s in the foreground a start is 409 not_ready and types nothing',
  async (program) => {
    await using world = new World();
    const api = await withSessions(world, 'web');
    const cwd = world.taskDir('of-web');
    await typeInto(api, 'web', `touch begun; ${program} > ${join(cwd, 'heard')}`);
    await until('the program runs', () => existsSync(join(cwd, 'heard')));
    expect(refusal(await api.startLoop('web', world.taskDir('one')))).toBe('409 not_ready');
    expect(statSync(join(cwd, 'heard')).size).toBe(0);
    expect(await api.events('&types=auto.*')).toEqual([]);
  },
);

it('LP37 a session whose shell is back in the foreground is ready again', async () => {
  await using world = new World();
  const api = await withSessions(world, 'web');
  await runInShell(api, 'web', 'sleep 0.2; touch done', join(world.taskDir('of-web'), 'done'));
  expect((await api.startLoop('web', world.taskDir('one'))).status).toBe(201);
});

it('LP3 an agent that never comes to the foreground is 502, and the row is removed', async () => {
  await using world = new World({
    LOOPWATCH_CLAUDE: 'no-such-agent',
    LOOPWATCH_START_TIMEOUT_MS: '400',
  });
  const api = await withSessions(world, 'web');
  const answer = await api.startLoop('web', world.taskDir('one'));
  expect(refusal(answer)).toBe('502 agent_not_started');
  expect(answer.body.error?.message).toContain('not found');
  expect({
    loops: (await api.get('/api/task-auto')).body['loops'],
    status: (await api.loop('web')).status,
    owner: (await api.get('/api/sessions/web')).body['owner'],
    story: (await api.events('&types=auto.*')).map(({ type }) => type),
  }).toEqual({
    loops: [],
    status: 'stopped',
    owner: null,
    story: ['auto.started', 'auto.ended'],
  });
});

it('LP3 the forked shell in the foreground, before it becomes a program, is not taken for the agent', async () => {
  // A subshell never becomes anything else: permanently what a slow machine shows for a moment.
  await using world = new World({
    LOOPWATCH_AUTO_COMMAND: '( read -r line )',
    LOOPWATCH_START_TIMEOUT_MS: '400',
  });
  const api = await withSessions(world, 'web');
  const answer = await api.startLoop('web', world.taskDir('one'));
  expect(refusal(answer)).toBe('502 agent_not_started');
});

function filesNamed(root: string, name: string): string[] {
  return readdirSync(root, { recursive: true, encoding: 'utf8' }).filter(
    (path) => path.split('/').at(-1) === name,
  );
}
