/** `loopwatch doctor` on machines that have everything, and on ones that lack one thing. */
import { mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import type { PreflightCheck } from '../../../shared/schema/model.ts';
import { findProgram } from '../../../server/lib/processes/program-versions.ts';
import { World } from '../../support/daemon/world.ts';

const KNOWN = '2.1.329 (Claude Code)';

async function doctor(world: World) {
  const { code, stdout } = await world.cli('doctor', '--json');
  const { checks } = JSON.parse(stdout) as { checks: PreflightCheck[] };
  return { code, missing: checks.filter(({ ok }) => !ok).map(({ name }) => name), checks };
}

/** Leaves only these programs, and what is in the world's own directory, on the PATH. */
function only(world: World, ...programs: string[]): void {
  const directory = join(world.root, 'only');
  mkdirSync(directory);
  for (const name of programs) {
    symlinkSync(findProgram(name, process.env['PATH'] ?? '') ?? '', join(directory, name));
  }
  world.environment['PATH'] = `${join(world.root, 'bin')}:${directory}`;
}

it('DR1 with everything installed it exits with 0, without a daemon and without a home', async () => {
  await using world = new World();
  world.writeClient(KNOWN, 'exit 0');
  const { code, missing, checks } = await doctor(world);
  expect({ code, missing }).toEqual({ code: 0, missing: [] });
  expect(checks.map(({ name }) => name)).toEqual([
    'agent',
    'client',
    'command',
    'login',
    'tmux',
    'git',
    'disk',
    'inotify',
  ]);
  expect(checks.find(({ name }) => name === 'client')?.detail).toBe('Claude Code 2.1.329, tested');
  expect(checks.every(({ fix }) => fix === null)).toBe(true);
});

it.each([
  ['agent', (world: World) => rmSync(join(world.root, 'bin/claude'))],
  ['command', (world: World) => rmSync(join(world.root, 'claude/commands'), { recursive: true })],
  ['login', (world: World) => rmSync(join(world.root, 'claude/.credentials.json'))],
  ['git', (world: World) => only(world, 'tmux', 'sh')],
  ['tmux', (world: World) => only(world, 'git', 'sh')],
  [
    'client',
    (world: World) =>
      writeFileSync(join(world.root, 'bin/claude'), '#!/bin/sh\nexit 1\n', { mode: 0o755 }),
  ],
])('DR1 without its %s it says so and how to get it, and ends with 1', async (name, remove) => {
  await using world = new World();
  world.writeClient(KNOWN, 'exit 0');
  remove(world);
  const { code, missing, checks } = await doctor(world);
  expect({ code, missing }).toEqual({ code: 1, missing: [name] });
  const check = checks.find((found) => found.name === name);
  expect(check?.fix ?? '').not.toBe('');
});

it('DR1 the text names each thing once, with its fix below', async () => {
  await using world = new World();
  world.writeClient(KNOWN, 'exit 0');
  rmSync(join(world.root, 'claude/.credentials.json'));
  const { code, stdout, stderr } = await world.cli('doctor');
  expect(code).toBe(1);
  expect(stdout).toMatch(/^ok {6}agent {4}\S+claude$/m);
  expect(stdout).toMatch(/^missing login .*\n {17}Start the agent yourself once/m);
  expect(stderr).toBe('loopwatch: not ready: login\n');
});

it('DR7 the status of the daemon has the same checks, and shows at once what was fixed', async () => {
  await using world = new World();
  world.writeClient(KNOWN, 'exit 0');
  const credentials = join(world.root, 'claude/.credentials.json');
  const before = readFileSync(credentials);
  rmSync(credentials);
  const { api } = await world.start();
  const missing = async () => {
    const { body } = await api.get('/api/status');
    const checks = body['preflight'] as PreflightCheck[];
    return checks.filter(({ ok }) => !ok).map(({ name }) => name);
  };
  const first = await missing();
  writeFileSync(credentials, before);
  expect([first, await missing()]).toEqual([['login'], []]);
});

it('DR10, DR11 with a daemon its own agent counts, not the settings of this shell', async () => {
  await using world = new World({ LOOPWATCH_AUTO_COMMAND: '{claude} "{taskDir}"' });
  world.writeProgram('my-agent', 'exit 1');
  rmSync(join(world.root, 'claude/.credentials.json'));
  const program = join(world.root, 'bin/my-agent');
  world.environment['LOOPWATCH_CLAUDE'] = program;
  const { daemon } = await world.start();
  delete world.environment['LOOPWATCH_CLAUDE'];
  delete world.environment['LOOPWATCH_AUTO_COMMAND'];
  const { code, stdout, stderr } = await world.cli('doctor');
  expect(stdout).toContain(`ok      agent    ${program}\n`);
  expect(stdout).toContain('ok      client   your own agent: started without hooks\n');
  expect(stdout).toContain('your own start command, set by LOOPWATCH_AUTO_COMMAND');
  expect([code, stdout.includes('login')]).toEqual([0, false]);
  expect(stdout).toContain(`checked by the running daemon (pid ${process.pid})\n`);
  expect(stderr).toBe('');
  await daemon.close();
  expect((await doctor(world)).missing).toContain('login');
});
