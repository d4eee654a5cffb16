/** `loopwatch start --detach`, `login` and `stop`: a daemon without a terminal of its own. */
import { chownSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { expect, it, vi } from 'vitest';
import { startDetached } from '../../../server/cli/detached-start.ts';
import { isAlive, readProcess } from '../../../server/lib/processes/process-identity.ts';
import { ReadOnlyDirectory } from '../../support/drills/read-only-directory.ts';
import { until } from '../../support/house/until.ts';
import { World } from '../../support/daemon/world.ts';

it('CL59 CL61 start --detach returns when the daemon answers; a second names it; stop ends it', async () => {
  await using world = new World();
  const { code, stdout, stderr } = await world.cli('start', '--detach');
  expect([code, stderr]).toEqual([0, '']);
  const pid = Number(/\(pid (\d+)\)/.exec(stdout)?.[1]);
  const daemon = readProcess(pid);
  if (daemon === null) throw new Error(`no process ${pid}`);
  expect(stdout).toMatch(/^log in: http:\/\/127\.0\.0\.1:\d+\/#\S+$/m);
  expect(stdout).toContain(`log: ${join(world.home, 'log/daemon.log')}\n`);

  const again = await world.cli('start', '--detach');
  expect([again.code, again.stdout]).toEqual([75, '']);
  expect(again.stderr).toContain(`already running (pid ${pid}, http://`);

  const login = await world.cli('login', '--utc');
  expect(login.stdout).toMatch(/^http:\/\/\S+\n$/);
  expect(login.stderr).toMatch(/works once, until \d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ\n$/);

  expect((await world.cli('stop')).code).toBe(0);
  expect(isAlive(daemon)).toBe(false);
  expect((await world.cli('stop')).code).toBe(3);
});

it('CL59 a daemon that does not start ends it with its code and the end of its output', async () => {
  await using world = new World();
  const { process: other } = await world.spawn();
  const { port } = new URL(
    (JSON.parse(readFileSync(join(world.home, 'daemon.json'), 'utf8')) as { url: string }).url,
  );
  const second = { LOOPWATCH_HOME: join(world.root, 'second'), PORT: port };
  const { code, stdout, stderr } = await world.cliWith(second, 'start', '--detach');
  expect([code, stdout]).toEqual([73, '']);
  expect(stderr).toContain('the daemon did not start:\n');
  expect(stderr).toContain(`:${port} is in use by another Loopwatch daemon (pid ${other.pid})`);
});

/** Answers as a daemon, but refuses the login link. */
const NO_LINK = `
const { writeFileSync } = require('node:fs');
const server = require('node:http').createServer(({ url }, response) => {
  const isHealth = url.includes('health');
  response.writeHead(isHealth ? 200 : 500).end('{}');
});
server.listen(0, '127.0.0.1', () => {
  const url = 'http://127.0.0.1:' + server.address().port;
  const file = process.env.LOOPWATCH_HOME + '/daemon.json';
  writeFileSync(file, JSON.stringify({ url, pid: process.pid }));
});`;

it('CL59 a start that fails after its daemon answered ends that daemon', async () => {
  await using world = new World();
  const program = join(world.root, 'no-link.cjs');
  writeFileSync(program, NO_LINK);
  const before = process.argv[1] ?? '';
  vi.stubEnv('LOOPWATCH_HOME', world.home).stubEnv('LOOPWATCH_TOKEN', 't'.repeat(20));
  process.argv[1] = program;
  try {
    await expect(startDetached()).rejects.toThrow('answered with HTTP status 500');
  } finally {
    process.argv[1] = before;
    vi.unstubAllEnvs();
  }
  const { pid } = JSON.parse(readFileSync(join(world.home, 'daemon.json'), 'utf8')) as {
    pid: number;
  };
  await until('the daemon has ended', () => readProcess(pid) === null);
});

it('CL20 CL59 an invalid setting creates nothing', async () => {
  await using world = new World();
  const { code, stderr } = await world.cliWith({ PORT: 'x' }, 'start', '--detach');
  expect(code).toBe(78);
  expect(stderr).toContain('PORT');
  expect(() => readFileSync(join(world.home, 'log/start.log'))).toThrow('ENOENT');
});

it('CL59 a home that cannot be used is refused as in the foreground', async () => {
  await using world = new World();
  const place = (name: string) => join(world.root, name);
  writeFileSync(place('file'), '');
  symlinkSync(place('nowhere/at/all'), place('link'));
  mkdirSync(place('read-only'));
  using readOnly = new ReadOnlyDirectory(place('read-only'));
  mkdirSync(place('foreign'));
  chownSync(place('foreign'), 12_345, 12_345);
  const uncreatable = 'is not a directory that can be created; set LOOPWATCH_HOME to another\n';
  for (const [home, code, words] of [
    ['file', 74, uncreatable],
    ['file/below', 74, uncreatable],
    ['link', 74, uncreatable],
    [basename(readOnly.path), 74, 'is not writable (EROFS): free or repair its disk'],
    ['foreign', 78, 'belongs to another user'],
  ] as const) {
    const settings = { LOOPWATCH_HOME: place(home) };
    const detached = await world.cliWith(settings, 'start', '--detach');
    const { stderr } = await world.cliWith(settings, 'start');
    expect([home, detached.code, detached.stderr]).toEqual([home, code, stderr]);
    expect(stderr).toContain(`LOOPWATCH_HOME=${place(home)} ${words}`);
  }
});

it('CL60 logs prints the log without a daemon, and ends with 4 without a log', async () => {
  await using world = new World();
  expect((await world.cli('logs')).code).toBe(4);
  expect((await world.cli('start', '--detach')).code).toBe(0);
  expect((await world.cli('stop')).code).toBe(0);
  const log = join(world.home, 'log/daemon.log');
  const hostile = { level: 40, time: 0, msg: 'said \u001b[2J', by: 'web' };
  writeFileSync(log, `${readFileSync(log, 'utf8')}${JSON.stringify(hostile)}\nnot JSON \u009b2J\n`);
  const { code, stdout } = await world.cli('logs', '--lines', '2', '--utc');
  expect([code, stdout]).toEqual([
    0,
    '1970-01-01T00:00:00Z  warn  said \\u{1b}[2J  by="web"\nnot JSON \\u{9b}2J\n',
  ]);
});
