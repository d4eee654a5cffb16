/** Task modules created and edited by people, over REST and from the shell. */
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { Module, ModuleDetail } from '../../../shared/schema/modules/modules.ts';
import type { ApiClient } from '../../support/daemon/api-client.ts';
import { git, gitRepository } from '../../support/git/git-repository.ts';
import { join as invited } from '../../support/daemon/invite-person.ts';
import { writeModule } from '../../support/git/module-tree.ts';
import { refusal } from '../../support/daemon/refusal.ts';
import { openShell } from '../../support/terminals/terminal-view.ts';
import { until } from '../../support/house/until.ts';
import { World } from '../../support/daemon/world.ts';

let world: World;
let root: string;

beforeEach(() => {
  world = new World();
  root = join(world.root, 'tasks');
});

afterEach(async () => world[Symbol.asyncDispose]());

async function find(api: ApiClient, path: string): Promise<ModuleDetail> {
  const module = await until(`module ${path}`, async () => {
    const { body } = await api.get('/api/modules');
    return (body['modules'] as Module[]).find((each) => each.path === join(root, path));
  });
  return (await api.get(`/api/modules/${module.id}`)).body as unknown as ModuleDetail;
}

it('MO11 a target is saved whole, with its author, and keeps the mode of its file', async () => {
  const directory = writeModule(join(root, 'one'));
  chmodSync(join(directory, '.target.md'), 0o600);
  const { api } = await world.start();
  const mia = await invited(api, 'Mia', 'operator');
  const { id, target } = await find(api, 'one');
  const change = { text: '# Greet\n\nin German <b>\n', version: target.version };
  const saved = await mia.api.send('PUT', `/api/modules/${id}/target`, change);
  expect(saved).toMatchObject({ status: 200, body: { text: change.text, problem: null } });
  expect(readFileSync(join(directory, '.target.md'), 'utf8')).toBe(change.text);
  expect(statSync(join(directory, '.target.md')).mode & 0o777).toBe(0o600);
  expect(readdirSync(directory).sort()).toEqual(['.index.json', '.target.md']);
  const event = await api.event('module.changed');
  expect(event).toMatchObject({ subject: { kind: 'module', id }, data: { author: 'Mia' } });
});

it('MO12 a target that was changed meanwhile is never replaced, and its text is in the answer', async () => {
  const directory = writeModule(join(root, 'one'), { target: 'first\n' });
  const { api } = await world.start();
  const { id, target } = await find(api, 'one');
  const path = `/api/modules/${id}/target`;
  writeFileSync(join(directory, '.target.md'), 'by the agent\n');
  const mine = { text: 'mine\n', version: target.version };
  const refused = await api.send('PUT', path, mine);
  expect(refused).toMatchObject({
    status: 409,
    body: { error: { code: 'target_changed', details: { text: 'by the agent\n' } } },
  });
  expect(readFileSync(join(directory, '.target.md'), 'utf8')).toBe('by the agent\n');
  // The same text again changes nothing, also with an older version.
  const same = { text: 'by the agent\n', version: target.version };
  expect((await api.send('PUT', path, same)).status).toBe(200);
  const { version } = (refused.body.error as unknown as { details: { version: string } }).details;
  expect((await api.send('PUT', path, { ...mine, version })).status).toBe(200);

  rmSync(join(directory, '.target.md'));
  const gone = await api.send('PUT', path, { text: 'next', version });
  expect(refusal(gone)).toBe('409 target_changed');
  expect((await api.send('PUT', path, { text: 'next', version: null })).status).toBe(200);
  const again = await api.send('PUT', path, { text: 'other', version: null });
  expect(refusal(again)).toBe('409 target_changed');
  expect(readFileSync(join(directory, '.target.md'), 'utf8')).toBe('next');
});

it('MO12 of ten people who save at once one wins, and nine get its text', async () => {
  writeModule(join(root, 'one'));
  const { api } = await world.start();
  const { id, target } = await find(api, 'one');
  const answers = await Promise.all(
    Array.from({ length: 10 }, async (_, n) =>
      api.send('PUT', `/api/modules/${id}/target`, { text: `text ${n}`, version: target.version }),
    ),
  );
  expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array<number>(9).fill(409)]);
  const stored = readFileSync(join(root, 'one/.target.md'), 'utf8');
  const others = answers.filter(({ status }) => status === 409);
  for (const { body } of others) expect(JSON.stringify(body)).toContain(stored);
});

it('MO13 a link or a FIFO as target is not written to, nor is control text', async () => {
  const directory = writeModule(join(root, 'one'));
  const secret = join(world.root, 'secret');
  writeFileSync(secret, 'secret');
  const { api } = await world.start();
  const { id, target } = await find(api, 'one');
  const path = `/api/modules/${id}/target`;
  for (const text of ['\u0000', '\u001b[2J', 7, 'x'.repeat(100_001)]) {
    expect(refusal(await api.send('PUT', path, { text, version: target.version }))).toBe(
      '400 invalid_body',
    );
  }
  rmSync(join(directory, '.target.md'));
  symlinkSync(secret, join(directory, '.target.md'));
  for (const version of [target.version, null]) {
    expect(refusal(await api.send('PUT', path, { text: 'mine', version }))).toBe(
      '409 target_not_editable',
    );
  }
  expect(readFileSync(secret, 'utf8')).toBe('secret');
});

it('MO14 a module is created from a description, once, and a loop can start there', async () => {
  const repository = gitRepository(join(root, 'app'));
  const { api } = await world.start();
  const path = join(repository, 'AiTasks/greet');
  const description = 'Greet by name.\n\n- a test proves it\n';
  const made = await api.send('POST', '/api/modules', { path, description });
  expect(made).toMatchObject({
    status: 201,
    body: { path, status: 'draft', title: 'Greet by name.', branch: 'task/greet' },
  });
  expect(readFileSync(join(path, '.target.md'), 'utf8')).toBe(description);
  expect(git(repository, 'status', '--short', '--untracked-files=all')).not.toContain('.lock');
  expect((await find(api, 'app/AiTasks/greet')).target.text).toBe(description);
  const twice = await api.send('POST', '/api/modules', { path, description: 'another' });
  expect(refusal(twice)).toBe('409 module_exists');
  expect(readFileSync(join(path, '.target.md'), 'utf8')).toBe(description);
  expect(await world.cli('step', 'entry', '--dir', path)).toMatchObject({ code: 0 });
});

it('MO15 nothing is created outside the roots, behind a link, hidden, or where a loop cannot start', async () => {
  const outside = join(world.root, 'outside');
  mkdirSync(outside);
  symlinkSync(outside, join(root, 'leading-out'));
  symlinkSync('/nowhere', join(root, 'broken'));
  writeFileSync(join(root, 'file'), '');
  const repository = gitRepository(join(root, 'app'));
  git(repository, 'worktree', 'add', '-q', join(root, 'linked'));
  const { api } = await world.start();
  const tried = {
    [join(outside, 'one')]: '400 outside_roots',
    '/one': '400 outside_roots',
    [join(root, '../outside/one')]: '400 outside_roots',
    [join(root, 'leading-out/one')]: '400 outside_roots',
    [join(root, 'leading-out')]: '400 outside_roots',
    [join(root, 'broken')]: '404 directory_missing',
    [join(root, 'file/one')]: '404 directory_missing',
    [join(root, '.hidden/one')]: '400 module_excluded',
    [join(root, 'app/node_modules/one')]: '400 module_excluded',
    [join(root, 'app/.git/one')]: '400 module_excluded',
    [join(root, 'linked/one')]: '400 unsafe_task_dir',
    [join(root, 'a"; rm -rf "b')]: '400 unsafe_task_dir',
    [join(root, 'x'.repeat(300))]: '400 unsafe_task_dir',
    relative: '400 invalid_body',
  };
  const answers: Record<string, string> = {};
  for (const path of Object.keys(tried)) {
    answers[path] = refusal(await api.send('POST', '/api/modules', { path, description: 'x' }));
  }
  expect(answers).toEqual(tried);
  for (const description of ['', ' \n', '\u0007']) {
    const body = { path: join(root, 'new'), description };
    expect(refusal(await api.send('POST', '/api/modules', body))).toBe('400 invalid_body');
  }
  expect(readdirSync(outside)).toEqual([]);
  expect(existsSync(join(root, 'new'))).toBe(false);
});

it('MO16 viewers read modules and change nothing', async () => {
  writeModule(join(root, 'one'));
  const { api } = await world.start();
  const { id, target } = await find(api, 'one');
  const { api: viewer } = await invited(api, 'Noor', 'viewer');
  expect((await viewer.get(`/api/modules/${id}`)).body['target']).toMatchObject(target);
  const change = { text: 'mine', version: target.version };
  const body = { path: join(root, 'two'), description: 'x' };
  expect(refusal(await viewer.send('PUT', `/api/modules/${id}/target`, change))).toBe(
    '403 role_too_low',
  );
  expect(refusal(await viewer.send('POST', '/api/modules', body))).toBe('403 role_too_low');
});

it('MO17 while a loop runs there, its module follows its files and names it, hidden or not', async () => {
  const signal = { step: 'check', result: 'PASS', next: 'exec' };
  const script = {
    steps: [
      { do: 'step', signal },
      { do: 'silence', ms: 600_000 },
    ],
  };
  const directory = writeModule(world.taskDir('.hidden/one', script));
  const { api } = await world.start();
  await openShell(api, 'web', directory);
  expect((await api.startLoop('web', directory)).status).toBe(201);
  const module = async () => find(api, '.hidden/one');
  await until('the loop', async () => (await module()).loop?.status === 'running');
  expect((await module()).loop).toMatchObject({ session_name: 'web' });
  await until('its signal', async () => (await module()).signal?.result === 'PASS');
  // The stand-in keeps the index as agents do.
  const { status } = JSON.parse(readFileSync(join(directory, '.index.json'), 'utf8')) as Module;
  await until('its status', async () => (await module()).status === status);
  writeFileSync(join(directory, '.plan.md'), '## Steps\n1. a\n2. b\n');
  await until('its plan', async () => (await module()).steps === 2);
});

it('MO18 module ls and module show print modules and files, without control characters', async () => {
  const directory = writeModule(join(root, 'one'), {
    title: 'Greet \u001b[31mall',
    status: 'executing',
    more: { '.plan.md': '## Steps\n1. a \u001b[2J\n' },
  });
  const { api } = await world.spawn();
  const { id } = await find(api, 'one');
  const list = await world.cli('module', 'ls');
  expect(list.stdout).toMatch(/^MODULE +STATUS +PROGRESS +LOOP +TITLE +DIRECTORY\n/);
  expect(list.stdout).toContain(`${id}  Executing  0 of 1 step  -     Greet \\u{1b}[31mall`);
  expect((await world.cli('module', 'ls', '-q')).stdout).toBe(`${id}\n`);
  const shown = await world.cli('module', 'show', 'one-');
  expect(shown.stdout).toContain('== .target.md\nGreet by name\n');
  expect(shown.stdout).toContain('1. a \\u{1b}[2J');
  expect(list.stdout + shown.stdout).not.toContain('\u001b');
  const json = await world.cli('module', 'show', directory, '--json');
  expect(JSON.parse(json.stdout)).toMatchObject({ id, status: 'executing' });
  expect(await world.cli('module', 'show', 'ghost')).toMatchObject({ code: 4 });
});
