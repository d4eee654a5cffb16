/** Task modules below the roots: real directories, a real daemon. */
import {
  linkSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { execFile } from '../../../server/lib/processes/exec-file.ts';
import type { Module, ModuleDetail } from '../../../shared/schema/modules/modules.ts';
import type { ApiClient } from '../../support/daemon/api-client.ts';
import { eventsOf } from '../../support/found/found-events.ts';
import { gitRepository } from '../../support/git/git-repository.ts';
import { indexText, writeModule } from '../../support/git/module-tree.ts';
import { until } from '../../support/house/until.ts';
import { World } from '../../support/daemon/world.ts';

let world: World;
let root: string;

beforeEach(() => {
  world = new World();
  root = join(world.root, 'tasks');
});

afterEach(async () => world[Symbol.asyncDispose]());

async function listed(api: ApiClient): Promise<Module[]> {
  return (await api.get('/api/modules')).body['modules'] as Module[];
}

async function paths(api: ApiClient): Promise<string[]> {
  return (await listed(api)).map(({ path }) => path.slice(root.length + 1));
}

async function find(api: ApiClient, path: string): Promise<Module> {
  return until(`module ${path}`, async () =>
    (await listed(api)).find((each) => each.path === join(root, path)),
  );
}

async function scanned(api: ApiClient): Promise<void> {
  const at = async () => (await api.get('/api/modules')).body['scanned_at'] as string | null;
  const before = await at();
  await until('another scan', async () => (await at()) !== before);
}

async function detail(api: ApiClient, path: string): Promise<ModuleDetail> {
  const { id } = await find(api, path);
  return (await api.get(`/api/modules/${id}`)).body as unknown as ModuleDetail;
}

it('MO1 every module below the roots is listed with status, phase and progress', async () => {
  writeModule(join(root, 'app/AiTasks/one'), {
    status: 'executing',
    title: 'Greet',
    completed_steps: 2,
    more: { '.plan.md': '## Steps\n1. a\n2. b\n3. c\n' },
  });
  writeModule(join(root, 'deep/er/than/this'), { status: 'draft' });
  writeModule(join(root, 'app/AiTasks/one/nested'), { status: 'blocked' });
  mkdirSync(join(root, 'bare'));
  writeFileSync(join(root, 'bare/.target.md'), 'only a target');
  mkdirSync(join(root, 'none'));
  const { api } = await world.start();
  const one = await find(api, 'app/AiTasks/one');
  expect(one).toMatchObject({
    title: 'Greet',
    status: 'executing',
    phase: '',
    completed_steps: 2,
    steps: 3,
    problem: null,
    loop: null,
  });
  await scanned(api);
  expect(await paths(api)).toEqual([
    'app/AiTasks/one',
    'app/AiTasks/one/nested',
    'bare',
    'deep/er/than/this',
  ]);
  expect(await find(api, 'bare')).toMatchObject({ status: null, title: 'bare', steps: null });
});

it('MO2 what appears, changes and goes is seen, each with its event, in this order', async () => {
  writeModule(join(root, 'app/old'));
  const { api } = await world.start();
  await find(api, 'app/old');
  const directory = writeModule(join(root, 'app/new'));
  const { id } = await find(api, 'app/new');
  for (const status of ['planning', 'executing']) {
    writeFileSync(join(directory, '.index.json'), indexText({ status }));
    await until(status, async () => (await find(api, 'app/new')).status === status);
  }
  rmSync(directory, { recursive: true });
  await until('its end', async () => !(await paths(api)).includes('app/new'));
  const events = await until('its events', async () => {
    const all = (await eventsOf(api, 'module.*')).filter(({ subject }) => subject.id === id);
    return all.some(({ type }) => type === 'module.removed') ? all : null;
  });
  expect(events.every(({ subject }) => subject.kind === 'module')).toBe(true);
  const told = events.map(({ type, data }) => `${type} ${String(data['status'])}`);
  expect([...new Set(told)]).toEqual([
    'module.appeared draft',
    'module.changed planning',
    'module.changed executing',
    'module.removed executing',
  ]);
});

it('MO3 nothing hidden, no node_modules, no linked worktree and no link is entered', async () => {
  const repository = gitRepository(join(root, 'repository'));
  writeModule(join(root, 'repository/task'));
  await execFile('git', ['-C', repository, 'add', '.'], { timeoutMs: 60_000 });
  await execFile('git', ['-C', repository, 'commit', '-qm', 'Add'], { timeoutMs: 60_000 });
  const worktree = join(root, 'worktree');
  await execFile('git', ['-C', repository, 'worktree', 'add', '-q', worktree], {
    timeoutMs: 60_000,
  });
  expect(readFileSync(join(worktree, 'task/.target.md'), 'utf8')).toContain('Greet');
  for (const name of ['.hidden', 'node_modules/package', '.git/x']) {
    writeModule(join(root, 'app', name));
  }
  const outside = writeModule(join(world.root, 'outside/task'));
  symlinkSync(outside, join(root, 'leading-out'));
  symlinkSync(join(root, 'repository/task'), join(root, 'leading-in'));
  const { api } = await world.start();
  await find(api, 'repository/task');
  await scanned(api);
  expect(await paths(api)).toEqual(['repository/task']);
});

it('MO4 a directory replaced by a link to another place is gone', async () => {
  const directory = writeModule(join(root, 'app/one'));
  const outside = writeModule(join(world.root, 'outside'), { title: 'secret' });
  const { api } = await world.start();
  const { id } = await find(api, 'app/one');
  renameSync(directory, join(world.root, 'moved'));
  symlinkSync(outside, directory);
  expect((await api.get(`/api/modules/${id}`)).status).toBe(404);
  const body = { text: 'mine', version: null };
  expect((await api.send('PUT', `/api/modules/${id}/target`, body)).status).toBe(404);
  await until('its end', async () => (await paths(api)).length === 0);
  expect(readFileSync(join(outside, '.target.md'), 'utf8')).toBe('Greet by name\n');
});

it('MO5 links, FIFOs, huge, binary and broken files are named, not read, and end nothing', async () => {
  const directory = writeModule(join(root, 'hostile'));
  writeFileSync(join(world.root, 'secret'), 'secret');
  symlinkSync(join(world.root, 'secret'), join(directory, '.plan.md'));
  await execFile('mkfifo', [join(directory, '.summary.md')], { timeoutMs: 60_000 });
  linkSync(join(world.root, 'secret'), join(directory, '.report.md'));
  mkdirSync(join(directory, '.test'));
  writeFileSync(join(directory, '.test/binary'), Buffer.from([0xff, 0xfe, 0]));
  writeFileSync(join(directory, '.test/log'), `${'line\n'.repeat(50_000)}the end\n`);
  writeFileSync(join(directory, '.target.md'), '');
  truncateSync(join(directory, '.target.md'), 8 * 1024 ** 3);
  symlinkSync(world.root, join(directory, '.analysis'));
  const { api } = await world.start();
  const shown = await detail(api, 'hostile');
  const facts = shown.files.map(({ name, text, cut, problem }) => [
    name,
    text === null ? null : text.slice(-8),
    cut,
    problem !== null,
  ]);
  expect(facts).toEqual([
    ['.plan.md', null, false, true],
    ['.summary.md', null, false, true],
    ['.report.md', null, false, true],
    ['.test/log', 'the end\n', true, false],
    ['.test/binary', null, false, true],
  ]);
  expect(shown.target).toMatchObject({ text: null, problem: 'Too large to show.' });
  expect(JSON.stringify(shown)).not.toContain('secret');

  writeFileSync(join(directory, '.index.json'), '{ "status": "flying" }');
  await until('the problem', async () => (await find(api, 'hostile')).problem !== null);
  expect(await find(api, 'hostile')).toMatchObject({
    status: null,
    problem: '.index.json has no valid "status"',
  });
  writeFileSync(join(directory, '.index.json'), indexText({ status: 'review' }));
  await until('the status', async () => (await find(api, 'hostile')).status === 'review');
});

it('MO6 ten thousand changes leave the right last state, and few events', async () => {
  const directory = writeModule(join(root, 'app/busy'));
  const { api } = await world.start();
  const { id } = await find(api, 'app/busy');
  for (let n = 0; n < 10_000; n += 1) {
    writeFileSync(join(directory, n % 2 === 0 ? '.plan.md' : `.test-${n % 100}`), `change ${n}\n`);
  }
  writeFileSync(join(directory, '.plan.md'), 'the last\n');
  writeFileSync(join(directory, '.index.json'), indexText({ status: 'complete' }));
  await until('the last state', async () => (await find(api, 'app/busy')).status === 'complete');
  const { files } = await detail(api, 'app/busy');
  expect(files.find(({ name }) => name === '.plan.md')?.text).toBe('the last\n');
  const { revision } = await find(api, 'app/busy');
  const last = await until('the last event', async () => {
    const events = (await eventsOf(api, 'module.*')).filter(({ subject }) => subject.id === id);
    return events.at(-1)?.data['revision'] === revision ? events : null;
  });
  expect(last.length).toBeLessThan(20);
});

it('MO7 a removed root takes its modules with it, and brings them back', async () => {
  writeModule(join(root, 'app/one'));
  const { api } = await world.start();
  const { id } = await find(api, 'app/one');
  renameSync(root, `${root}-away`);
  await until('its end', async () => (await paths(api)).length === 0);
  renameSync(`${root}-away`, root);
  expect((await find(api, 'app/one')).id).toBe(id);
  const types = (await eventsOf(api, 'module.*')).map(({ type }) => type);
  expect(types).toEqual(['module.appeared', 'module.removed', 'module.appeared']);
});

it('MO8 the next daemon reports only what changed while none ran', async () => {
  writeModule(join(root, 'same'));
  const changed = writeModule(join(root, 'changed'));
  const removed = writeModule(join(root, 'removed'));
  const first = await world.start();
  for (const name of ['same', 'changed', 'removed']) await find(first.api, name);
  await until('three events', async () => (await eventsOf(first.api, 'module.*')).length === 3);
  await first.daemon.close();
  writeFileSync(join(changed, '.index.json'), indexText({ status: 'review' }));
  rmSync(removed, { recursive: true });
  const { api } = await world.start();
  await find(api, 'same');
  await scanned(api);
  const later = (await eventsOf(api, 'module.*')).slice(3);
  const told = later.map(({ type, data }) => `${type} ${String(data['title'])}`);
  expect(told.sort()).toEqual(['module.changed changed', 'module.removed removed']);
});
