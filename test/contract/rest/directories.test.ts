/** The directories below the roots, as a picker reads them, and as a caller without permission does. */
import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, it } from 'vitest';
import type { DirectoryListing } from '../../../shared/schema/modules/directories.ts';
import type { ApiClient } from '../../support/daemon/api-client.ts';
import { bundleModule } from '../../support/browser/bundle-module.ts';
import { refusal } from '../../support/daemon/refusal.ts';
import { TEST_ROOT } from '../../support/house/test-root.ts';
import { git, gitRepository } from '../../support/git/git-repository.ts';
import { World } from '../../support/daemon/world.ts';

async function list(api: ApiClient, query: Record<string, string>): Promise<DirectoryListing> {
  const { status, body } = await api.get(
    `/api/directories?${new URLSearchParams(query).toString()}`,
  );
  expect({ status, body }).toMatchObject({ status: 200 });
  return body as unknown as DirectoryListing;
}

async function refused(api: ApiClient, path: string): Promise<string> {
  return refusal(await api.get(`/api/directories?path=${encodeURIComponent(path)}`));
}

const names = ({ directories }: DirectoryListing) => directories.map(({ name }) => name);

it('SD6 one level is listed by name: only directories, hidden ones on request', async () => {
  await using world = new World();
  const { api } = await world.start();
  const root = join(world.root, 'tasks');
  for (const name of ['beta', 'Alpha', 'task-10', 'task-9', '.cache', 'beta/inner']) {
    mkdirSync(join(root, name));
  }
  writeFileSync(join(root, 'file'), '');
  symlinkSync(join(root, 'file'), join(root, 'to-file'));
  symlinkSync(join(root, 'nowhere'), join(root, 'dangling'));
  const listing = await list(api, { path: root });
  expect(names(listing)).toEqual(['Alpha', 'beta', 'task-9', 'task-10']);
  expect(listing).toMatchObject({ here: { path: root }, parent: null, cut: false });
  expect(names(await list(api, { path: root, hidden: 'true' }))).toContain('.cache');
  expect(names(await list(api, { path: root, match: 'TASK' }))).toEqual(['task-9', 'task-10']);
  expect(await list(api, { path: join(root, 'beta') })).toMatchObject({ parent: root });
  // Without a path: the start points.
  expect(await list(api, {})).toMatchObject({ here: null, directories: [{ path: root }] });
});

it('SD13 each entry says whether it is a repository, has tasks, can start a loop, and what uses it', async () => {
  await using world = new World();
  const { api } = await world.start();
  const root = join(world.root, 'tasks');
  mkdirSync(join(root, 'project', '.git'), { recursive: true });
  mkdirSync(join(root, 'project', 'AiTasks'));
  const main = gitRepository(join(world.root, 'main'));
  git(main, 'worktree', 'add', '--quiet', '--detach', join(root, 'linked'));
  mkdirSync(join(root, 'linked', 'one'));
  mkdirSync(join(root, 'not $(typed)'));
  const busy = world.taskDir('busy', { steps: [{ do: 'silence', ms: 600_000 }] });
  writeFileSync(join(busy, '.target.md'), '# Busy\n');
  await api.openSession('worker', busy);
  await api.startLoop('worker', busy);
  const { directories } = await list(api, { path: root });
  const unused = { session: null, loop: null };
  expect(directories).toMatchObject([
    {
      name: 'busy',
      task: 'task',
      git: null,
      session: 'worker',
      loop: { session_name: 'worker', status: 'running' },
    },
    { name: 'linked', git: 'worktree', task: null, startable: false, ...unused },
    { name: 'not $(typed)', startable: false, ...unused },
    { name: 'project', git: 'repository', task: 'tasks', startable: true, ...unused },
  ]);
  const copies = await list(api, { path: join(root, 'linked') });
  expect(copies.directories).toMatchObject([{ name: 'one', startable: false }]);
});

it('SD7 nothing outside the roots is listed, by any path to it', async () => {
  await using world = new World();
  const { api } = await world.start();
  const root = join(world.root, 'tasks');
  mkdirSync(join(world.root, 'tasks-secret'));
  mkdirSync(join(root, 'inside'));
  symlinkSync('/etc', join(root, 'etc'));
  symlinkSync(join(root, 'inside'), join(root, 'link'));
  for (const path of [
    '/',
    '/etc',
    world.root,
    join(root, 'etc'),
    join(root, 'etc', 'ssl'),
    '/no/such/place',
    `${root}/..`,
    `${root}/inside/../../..`,
    `${root}-secret`,
    `${root}//../home`,
  ]) {
    expect([path, await refused(api, path)]).toEqual([path, '400 outside_roots']);
  }
  // A link is listed by its name; its target only when it stays inside.
  const { directories } = await list(api, { path: root });
  expect(directories).toMatchObject([
    { name: 'etc', access: 'outside', git: null, task: null, startable: false },
    { name: 'inside', access: 'open' },
    { name: 'link', access: 'open' },
  ]);
  const followed = await list(api, { path: join(root, 'link') });
  expect(followed.here?.path).toBe(join(root, 'inside'));
});

it('SD15 paths that are not directories are refused with a code, and block nothing', async () => {
  await using world = new World();
  const { api } = await world.start();
  const root = join(world.root, 'tasks');
  writeFileSync(join(root, 'file'), '');
  execFileSync('mkfifo', [join(root, 'fifo')]);
  symlinkSync(join(root, 'round'), join(root, 'round'));
  const gone = mkdtempSync(join(root, 'gone-'));
  rmSync(gone, { recursive: true });
  const expected = [
    ['relative/path', '400 invalid_query'],
    ['', '400 invalid_query'],
    [`${root}/a\0b`, '400 invalid_query'],
    [`${root}/${'x'.repeat(1100)}`, '400 invalid_query'],
    [`${root}/${'x'.repeat(300)}`, '404 directory_missing'],
    [join(root, 'file'), '404 directory_missing'],
    [join(root, 'file', 'x'), '404 directory_missing'],
    [join(root, 'fifo'), '404 directory_missing'],
    [join(root, 'round'), '404 directory_missing'],
    [gone, '404 directory_missing'],
  ] as const;
  for (const [path, code] of expected)
    expect([path, await refused(api, path)]).toEqual([path, code]);
  expect(refusal(await api.get('/api/directories?depth=9'))).toBe('400 invalid_query');
});

it('SD6, SD14 of 100,000 directories the first 500 are listed, and other requests are answered meanwhile', async () => {
  await using world = new World();
  const { api } = await world.start();
  const root = join(world.root, 'tasks');
  const script = `for (let n = 0; n < 100000; n += 1) require('fs').mkdirSync('d' + n);`;
  execFileSync(process.execPath, ['-e', script], { cwd: root });
  let answered = 0;
  const listing = list(api, { path: root });
  const isOver = listing.then(() => true);
  const answer = async () => api.get('/healthz').then(() => false);
  while (!(await Promise.race([isOver, answer()]))) answered += 1;
  const { directories, cut } = await listing;
  expect([directories.length, cut]).toEqual([500, true]);
  expect(directories.slice(0, 3).map(({ name }) => name)).toEqual(['d0', 'd1', 'd2']);
  expect(answered).toBeGreaterThan(3);
  // What exceeds the list is found by its name.
  expect(names(await list(api, { path: root, match: 'd99999' }))).toEqual(['d99999']);
});

it('SD15 what the daemon may not read is marked, and refused with its code', async () => {
  // Without the permissions that the tests may have.
  const root = mkdtempSync(join(TEST_ROOT, 'd'));
  mkdirSync(join(root, 'closed'), { mode: 0o700 });
  mkdirSync(join(root, 'open'));
  const module = await bundleModule('server/projects/directories.ts', root);
  for (const path of [TEST_ROOT, root, join(root, 'open'), module]) chmodSync(path, 0o755);
  const script = `
    const { Directories } = await import('${pathToFileURL(module).href}');
    const inUse = () => ({ sessions: [], loops: [] });
    const directories = new Directories({ roots: ['${root}'], inUse, isStartable: () => true });
    const query = { match: '', hidden: false };
    const { directories: listed } = await directories.list({ ...query, path: '${root}' });
    const closed = directories.list({ ...query, path: '${root}/closed' });
    const code = await closed.catch((error) => error.code);
    console.log(JSON.stringify([listed.map(({ name, access }) => name + ' ' + access), code]));`;
  const isRoot = process.getuid?.() === 0;
  if (!isRoot) chmodSync(join(root, 'closed'), 0o000);
  const command = [process.execPath, '--input-type=module', '-e', script];
  const unprivileged = ['setpriv', '--reuid=65534', '--regid=65534', '--clear-groups', ...command];
  const [program = '', ...words] = isRoot ? unprivileged : command;
  const output = JSON.parse(execFileSync(program, words, { encoding: 'utf8' })) as unknown;
  expect(output).toEqual([['closed unreadable', 'open open'], 'directory_unreadable']);
  rmSync(root, { recursive: true });
});
