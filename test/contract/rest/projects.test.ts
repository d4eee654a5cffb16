/** Directories, branches and projects over REST, and the plain health check. */
import { chmodSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { git } from '../../support/git/git-repository.ts';
import { refusal } from '../../support/daemon/refusal.ts';
import { TaskHome } from '../../support/tasks/task-home.ts';
import { World } from '../../support/daemon/world.ts';

let world: World;
let home: TaskHome;
let root = '';

beforeAll(async () => {
  world = new World();
  home = new TaskHome(world, (await world.start()).api);
  root = dirname(home.repository);
});

afterAll(async () => world[Symbol.asyncDispose]());

const at = (route: string, path: string) => `/api/v1/${route}path=${encodeURIComponent(path)}`;

it('TW18 directories are listed level by level, without hidden ones, and say which can be opened', async () => {
  const inside = join(root, 'browse');
  for (const name of ['.hidden', 'closed', 'open'])
    mkdirSync(join(inside, name), { recursive: true });
  writeFileSync(join(inside, 'file.txt'), '');
  symlinkSync('/etc', join(inside, 'out'));
  const { body } = await home.api.get(at('browse-directories?', inside));
  const entry = (name: string, accessible: boolean) => ({
    name,
    path: join(inside, name),
    accessible,
  });
  expect(body).toEqual({
    current_path: inside,
    parent_path: root,
    directories: [entry('closed', true), entry('open', true), entry('out', false)],
  });
  const first = await home.api.get('/api/v1/browse-directories');
  expect(first.body).toMatchObject({ current_path: root, parent_path: null });
});

it.skipIf(process.getuid?.() === 0)('TW18 a directory that cannot be read is 403', async () => {
  const closed = join(root, 'unreadable');
  mkdirSync(closed);
  chmodSync(closed, 0);
  try {
    expect(refusal(await home.api.get(at('browse-directories?', closed)))).toBe(
      '403 directory_unreadable',
    );
  } finally {
    chmodSync(closed, 0o700);
  }
});

it('TW18 nothing outside the roots is revealed, nor what is no directory', async () => {
  const link = join(root, 'elsewhere');
  symlinkSync('/etc', link);
  const refusals: Record<string, string[]> = {};
  for (const path of ['/etc', '/etc/nothing', link, `${root}/../home`, join(root, 'gone')]) {
    const answers = [
      await home.api.get(at('browse-directories?', path)),
      await home.api.get(at('git-branches?', path)),
      await home.api.send('POST', '/api/v1/sessions', { project_path: path }),
    ];
    refusals[path] = [...new Set(answers.map(refusal))];
  }
  expect(Object.values(refusals)).toEqual([
    ...Array<string[]>(4).fill(['400 outside_roots']),
    ['400 project_missing'],
  ]);
  for (const route of ['browse-directories?', 'git-branches?']) {
    expect(refusal(await home.api.get(at(route, 'relative')))).toBe('400 invalid_query');
  }
  expect(refusal(await home.api.get('/api/v1/git-branches'))).toBe('400 invalid_query');
});

it('TW18, WT18 branches are sorted, each once, without the name of the remote', async () => {
  const clone = join(root, 'clone');
  git(home.repository, 'branch', 'zebra');
  git(root, 'clone', '--quiet', home.repository, clone);
  git(clone, 'branch', 'local/only');
  const ask = async (type: string) =>
    (await home.api.get(at(`git-branches?branch_type=${type}&`, clone))).body;
  expect(await ask('local')).toEqual({ current_branch: 'main', branches: ['local/only', 'main'] });
  expect(await ask('remote')).toEqual({ current_branch: 'main', branches: ['main', 'zebra'] });
  expect(await ask('all')).toEqual({
    current_branch: 'main',
    branches: ['local/only', 'main', 'zebra'],
  });
  const plain = world.taskDir('plain');
  expect(refusal(await home.api.get(at('git-branches?', plain)))).toBe('400 not_a_repository');
  expect(refusal(await home.api.get(at('git-branches?branch_type=x&', clone)))).toBe(
    '400 invalid_query',
  );
});

it('TW37 a directory is one project, by any path to it, and has its tasks', async () => {
  const alias = join(root, 'alias');
  symlinkSync(home.repository, alias);
  const open = async (project_path: string) =>
    home.api.send('POST', '/api/v1/sessions', { project_path });
  const { status, body } = await open(home.repository);
  expect([status, body]).toMatchObject([200, { project_path: home.repository }]);
  expect((await open(alias)).body).toEqual(body);
  expect((await open(`${home.repository}/`)).body).toEqual(body);
  const path = `/api/v1/sessions/${String(body['id'])}`;
  expect((await home.api.get(path)).body).toEqual(body);
  expect((await home.api.get(`${path}/tasks`)).body).toEqual([]);
  const task = await home.create('mine', { root_folder: alias });
  expect(task.session_id).toBe(body['id']);
  expect((await home.api.get(`${path}/tasks`)).body).toMatchObject([{ task_name: 'mine' }]);
  const many = await Promise.all(Array.from({ length: 5 }, async () => open(world.taskDir('new'))));
  expect(new Set(many.map((answer) => answer.body['id'])).size).toBe(1);
});

it('TW38 the health check answers anyone with a token', async () => {
  expect(await home.api.get('/health')).toEqual({ status: 200, body: { status: 'healthy' } });
  const none = { authorization: '' };
  expect(refusal(await home.api.send('GET', '/health', undefined, none))).toBe('401 unauthorized');
  expect(refusal(await home.api.send('POST', '/health', undefined, none))).toBe('401 unauthorized');
  expect(refusal(await home.api.send('POST', '/health'))).toBe('405 method_not_allowed');
  expect((await home.api.send('GET', '/healthz', undefined, none)).status).toBe(200);
});
