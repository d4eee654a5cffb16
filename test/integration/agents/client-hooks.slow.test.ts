/** The hooks in the user's own settings: installed, removed again, refused. */
import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  linkSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { markOf } from '../../../server/lib/files/hostile-file.ts';
import { FoundWorld } from '../../support/found/found-world.ts';
import { commandsIn, settingsFile } from '../../support/daemon/user-hook.ts';

const SETTINGS = '{\n    "model": "opus",\n    "permissions": { "allow": ["Bash(ls)"] }\n}';

/** A world whose client is new enough. */
function open(text: string | null = SETTINGS): FoundWorld {
  const stage = new FoundWorld();
  stage.world.writeClient('2.1.330 (Claude Code)', 'exit 1');
  if (text !== null) writeFileSync(settingsFile(stage), text);
  return stage;
}

const names = (stage: FoundWorld) => readdirSync(stage.config).sort();

it('FS30 FS31 the shell shows the change, makes it and takes it back', async () => {
  await using stage = open();
  const { world } = stage;
  chmodSync(settingsFile(stage), 0o664);
  const before = names(stage);
  await world.start();
  const dry = await world.cli('hooks', 'install', '--dry-run');
  expect(dry.code).toBe(0);
  expect(dry.stdout).toContain('+     "hooks": {');
  expect(dry.stdout).toContain('  }');
  expect(readFileSync(settingsFile(stage), 'utf8')).toBe(SETTINGS);
  expect((await world.cli('hooks', 'status')).stdout).toContain('not installed');

  expect((await world.cli('hooks', 'install')).code).toBe(0);
  expect(commandsIn(stage)).toHaveLength(1);
  expect(readFileSync(settingsFile(stage), 'utf8').startsWith(SETTINGS.slice(0, -2))).toBe(true);
  expect(statSync(settingsFile(stage)).mode & 0o777).toBe(0o664);
  const again = await world.cli('hooks', 'install');
  expect(again.stdout).toContain('Hooks installed');
  expect(commandsIn(stage)).toHaveLength(1);

  const { stdout } = await world.cli('hooks', 'remove');
  expect(stdout).toContain('-     "hooks": {');
  expect(readFileSync(settingsFile(stage), 'utf8')).toBe(SETTINGS);
  expect(statSync(settingsFile(stage)).mode & 0o777).toBe(0o664);
  expect(names(stage)).toEqual(before);
  expect(JSON.parse((await world.cli('hooks', 'remove', '--json')).stdout)).toMatchObject({
    state: 'off',
  });
});

it('FS31 without a file, one is created and removed again', async () => {
  await using stage = open(null);
  const { api } = await stage.world.start();
  await api.send('POST', '/api/client-hooks', { action: 'install' });
  expect(statSync(settingsFile(stage)).mode & 0o777).toBe(0o600);
  expect(commandsIn(stage)).toHaveLength(1);
  await api.send('POST', '/api/client-hooks', { action: 'remove' });
  expect(existsSync(settingsFile(stage))).toBe(false);
});

it('FS31 what was changed since stays, and an entry of an earlier installation is replaced', async () => {
  await using stage = open();
  const { api } = await stage.world.start();
  await api.send('POST', '/api/client-hooks', { action: 'install' });
  const path = settingsFile(stage);
  const text = readFileSync(path, 'utf8');
  writeFileSync(path, text.replace('opus', 'sonnet').replaceAll(process.execPath, '/old/node'));
  expect((await api.get('/api/client-hooks')).body['state']).toBe('outdated');
  const { body } = await api.send('POST', '/api/client-hooks', { action: 'install' });
  expect(body['state']).toBe('on');
  expect(commandsIn(stage)).toHaveLength(1);
  expect(commandsIn(stage)[0]).toContain(process.execPath);
  await api.send('POST', '/api/client-hooks', { action: 'remove' });
  expect(readFileSync(path, 'utf8')).toBe(SETTINGS.replace('opus', 'sonnet'));
});

it('FS31 a link stays a link, and the file behind it is changed', async () => {
  await using stage = open(null);
  const dotfiles = join(stage.world.root, 'dotfiles');
  mkdirSync(dotfiles);
  writeFileSync(join(dotfiles, 'claude.json'), SETTINGS);
  symlinkSync(join(dotfiles, 'claude.json'), settingsFile(stage));
  const { api } = await stage.world.start();
  const { body } = await api.send('POST', '/api/client-hooks', { action: 'install' });
  expect(body).toMatchObject({ state: 'on', file: join(dotfiles, 'claude.json') });
  expect(lstatSync(settingsFile(stage)).isSymbolicLink()).toBe(true);
  await api.send('POST', '/api/client-hooks', { action: 'remove' });
  expect(readFileSync(join(dotfiles, 'claude.json'), 'utf8')).toBe(SETTINGS);
  expect(readdirSync(dotfiles)).toEqual(['claude.json']);
});

it('FS30 a change that was not shown is not made', async () => {
  await using stage = open();
  const { api } = await stage.world.start();
  const { change } = (await api.get('/api/client-hooks')).body as { change: { mark: string } };
  writeFileSync(settingsFile(stage), '{"model":"haiku"}');
  const body = { action: 'install', mark: change.mark };
  const answer = await api.send('POST', '/api/client-hooks', body);
  expect([answer.status, answer.body.error?.code]).toEqual([409, 'settings_changed']);
  expect(readFileSync(settingsFile(stage), 'utf8')).toBe('{"model":"haiku"}');
});

const HOSTILE: Record<string, [(path: string, stage: FoundWorld) => void, string]> = {
  'invalid JSON': [(path) => writeFileSync(path, '{"a": 1,}'), 'not valid JSON'],
  'a list': [(path) => writeFileSync(path, '[]'), 'not what the client expects'],
  'hooks that are switched off': [
    (path) => writeFileSync(path, '{"disableAllHooks": true}'),
    'switches off all hooks',
  ],
  'a byte order mark': [(path) => writeFileSync(path, '\ufeff{}'), 'byte order mark'],
  'other text than UTF-8': [(path) => writeFileSync(path, Buffer.from([0xff, 0xfe])), 'UTF-8'],
  'a huge file': [(path) => writeFileSync(path, `"${'x'.repeat(2 ** 20)}"`), 'larger than'],
  'a FIFO': [(path) => void execFileSync('mkfifo', [path]), 'not a regular file'],
  'a directory': [(path) => mkdirSync(path), 'not a regular file'],
  'a link that leads nowhere': [(path) => symlinkSync('/nowhere/x', path), 'leads nowhere'],
  'a file with two names': [
    (path, { world }) => {
      writeFileSync(path, '{}');
      linkSync(path, join(world.root, 'other'));
    },
    'more than one hard link',
  ],
};

it.each(Object.entries(HOSTILE))('FS32 %s is refused and stays as it is', async (_, hostile) => {
  const [prepare, why] = hostile;
  await using stage = open(null);
  const path = settingsFile(stage);
  prepare(path, stage);
  const before = markOf(path);
  const { api } = await stage.world.start();
  const view = (await api.get('/api/client-hooks')).body;
  expect(view).toMatchObject({ state: 'off', change: null });
  expect(view['refusal']).toContain(why);
  const { status, body } = await api.send('POST', '/api/client-hooks', { action: 'install' });
  expect([status, body.error?.code]).toEqual([409, 'settings_refused']);
  expect(body.error?.message).toContain(why);
  expect(markOf(path)).toBe(before);
});

it.each([
  ['2.0.75 (Claude Code)', 'does not know the hook'],
  ['something else', 'version of the client is unknown'],
])('FS33 a client that answers %s gets no hooks', async (version, why) => {
  await using stage = open();
  stage.world.writeClient(version, 'exit 1');
  const { api } = await stage.world.start();
  const answer = await api.send('POST', '/api/client-hooks', { action: 'install' });
  expect([answer.status, answer.body.error?.message]).toEqual([409, expect.stringContaining(why)]);
  expect(readFileSync(settingsFile(stage), 'utf8')).toBe(SETTINGS);
});

it('FS33 without a configuration directory, nothing is created', async () => {
  await using stage = open(null);
  stage.world.environment['CLAUDE_CONFIG_DIR'] = join(stage.world.root, 'never');
  const { api } = await stage.world.start();
  expect((await api.get('/api/client-hooks')).body['refusal']).toContain('start the client once');
  rmSync(join(stage.world.root, 'never'), { recursive: true, force: true });
});

it('FS31 braces that were empty before are there again', async () => {
  const text = '{ "hooks" : { "PermissionRequest" : [ ] } }';
  await using stage = open(text);
  const { api } = await stage.world.start();
  await api.send('POST', '/api/client-hooks', { action: 'install' });
  expect(commandsIn(stage)).toHaveLength(1);
  await api.send('POST', '/api/client-hooks', { action: 'remove' });
  expect(readFileSync(settingsFile(stage), 'utf8')).toBe(text);
});
