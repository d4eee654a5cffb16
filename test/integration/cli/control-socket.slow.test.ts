/** The control socket and the pid file of a daemon in a process of its own. */
import { once } from 'node:events';
import {
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  renameSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { isRunning, pid, send } from '../../../server/control/control-client.ts';
import type { ControlStatus } from '../../../server/control/control-messages.ts';
import { readProcess } from '../../../server/lib/processes/process-identity.ts';
import { exchange, leaveDeadSocket, RawControl } from '../../support/daemon/control-exchange.ts';
import { until } from '../../support/house/until.ts';
import { World } from '../../support/daemon/world.ts';

const PONG = { ok: true, reply: 'Pong' };

/** What a daemon has put into its home and its directory of sockets. */
function traces(world: World): string[] {
  const home = existsSync(world.home) ? readdirSync(world.home) : [];
  const found = home.filter((name) => ['loopwatch.pid', 'control.sock'].includes(name));
  return [...found, ...controlSockets(world).map((name) => `run: ${name}`)].sort();
}

function controlSockets(world: World): string[] {
  return readdirSync(join(world.root, 'run'), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.sock'))
    .map((name) => name.replace(/^.*\//, ''));
}

const ALL = ['control.sock', 'loopwatch.pid', 'run: control.sock'];

async function statusOf(home: string): Promise<ControlStatus> {
  const result = await send(home, 'Status');
  if (result.ok && typeof result.reply === 'object' && 'Status' in result.reply) {
    return result.reply.Status;
  }
  throw new Error(JSON.stringify(result));
}

it('CS1 CS2 CS6 a daemon has a pid file and a socket that are private, and removes them with SIGTERM', async () => {
  await using world = new World();
  const daemon = await world.spawn();
  const file = join(world.home, 'loopwatch.pid');
  const [first, second] = readFileSync(file, 'utf8').split('\n');
  const { startedAt } = readProcess(daemon.process.pid ?? 0) ?? {};
  expect([first, second]).toEqual([String(daemon.process.pid), `start=${startedAt}`]);
  const link = join(world.home, 'control.sock');
  expect(lstatSync(link).isSymbolicLink() && statSync(link).isSocket()).toBe(true);
  expect(readlinkSync(link).startsWith(join(world.root, 'run'))).toBe(true);
  const modes = [file, link, join(readlinkSync(link), '..')].map((path) => statSync(path).mode);
  expect(modes.map((mode) => mode & 0o777)).toEqual([0o600, 0o600, 0o700]);
  expect([isRunning(world.home), pid(world.home)]).toEqual([true, daemon.process.pid]);
  const exited = once(daemon.process, 'exit');
  daemon.process.kill('SIGTERM');
  await exited;
  expect([traces(world), isRunning(world.home)]).toEqual([[], false]);
  expect(await send(world.home, 'Ping')).toMatchObject({ ok: false, reason: 'absent' });
});

it('CS3 CS5 a running daemon answers many clients at once, next to silent and endless ones', async () => {
  await using world = new World();
  await world.spawn();
  const path = readlinkSync(join(world.home, 'control.sock'));
  const silent = Array.from({ length: 20 }, () => new RawControl(path));
  const endless = new RawControl(path);
  endless.socket.write('x'.repeat(4_000_000));
  const replies = await Promise.all(
    Array.from({ length: 10 }, async () => send(world.home, 'Ping')),
  );
  expect(replies).toEqual(replies.map(() => PONG));
  expect(await exchange(path, '"Ping"\n"Shutdown"\n')).toBe('"Pong"\n');
  await endless.closed;
  expect(endless.received).toMatch(/^\{"Error":"a command has at most 4096 bytes"\}\n$/);
  for (const { socket } of silent) socket.destroy();
  const status = await statusOf(world.home);
  expect(status).toEqual({
    running: true,
    uptime_secs: status.uptime_secs,
    provider_active: false,
    host_active: false,
    jobs_completed: 0,
    earnings_msats: 0,
  });
  expect(Number.isInteger(status.uptime_secs)).toBe(true);
});

it('CS16 a loop that completes is a job', async () => {
  await using world = new World();
  const { api } = await world.start();
  const signal = { step: 'report', result: '(generated)', next: '(stop)' };
  const completes = { after: 'exit', steps: [{ do: 'step', work_ms: 20, signal }] };
  for (const [name, scenario] of [
    ['done', completes],
    ['stopped', { steps: [{ do: 'silence', ms: 600_000 }] }],
  ] as const) {
    const directory = world.taskDir(name, scenario);
    await api.openSession(name, directory);
    await api.startLoop(name, directory);
  }
  await api.send('DELETE', '/api/sessions/stopped/task-auto');
  const ended = async () => (await api.events('&types=auto.ended')).length === 2;
  await until('both loops have ended', ended);
  expect((await statusOf(world.home)).jobs_completed).toBe(1);
});

it('CS4 CS6 Shutdown is answered with Ok and ends the daemon as SIGTERM does; sessions keep running', async () => {
  await using world = new World();
  const daemon = await world.spawn();
  await daemon.api.openSession('web', world.taskDir('web'));
  const exited = once(daemon.process, 'exit');
  expect(await send(world.home, 'Shutdown')).toEqual({ ok: true, reply: 'Ok' });
  expect(await exited).toEqual([0, null]);
  expect(traces(world)).toEqual([]);
  const next = await world.spawn();
  expect((await next.api.get('/api/sessions/web')).status).toBe(200);
  const types = (await next.api.events('&types=daemon.*')).map(({ type }) => type);
  expect(types).toEqual(['daemon.started', 'daemon.stopping', 'daemon.started']);
});

it('CS6 what a killed daemon left is no running daemon, and the next one replaces it', async () => {
  await using world = new World();
  const first = await world.spawn();
  await first.kill();
  expect([traces(world), isRunning(world.home)]).toEqual([ALL, false]);
  expect(await send(world.home, 'Ping')).toMatchObject({ ok: false, reason: 'absent' });
  // A process that has the pid now is not the daemon.
  writeFileSync(join(world.home, 'loopwatch.pid'), `${process.pid}\nstart=1\n`);
  expect(pid(world.home)).toBe(null);
  const second = await world.spawn();
  expect([traces(world), pid(world.home)]).toEqual([ALL, second.process.pid]);
  expect(await send(world.home, 'Ping')).toEqual(PONG);
});

it('CS7 B4-9 a second daemon of a home is refused and leaves pid file and socket as they are', async () => {
  await using world = new World();
  const daemon = await world.spawn();
  const { ino } = statSync(join(world.home, 'control.sock'));
  expect((await world.cli('start')).code).toBe(75);
  expect(statSync(join(world.home, 'control.sock')).ino).toBe(ino);
  expect([traces(world), pid(world.home)]).toEqual([ALL, daemon.process.pid]);
  expect(await send(world.home, 'Ping')).toEqual(PONG);
});

it('CS7 a daemon on a replaced home leaves the socket to the one that still runs, and has its own', async () => {
  await using world = new World();
  const first = await world.spawn();
  // Stopped, it cannot notice that its home is gone, nor answer.
  first.process.kill('SIGSTOP');
  const away = `${world.home}-away`;
  renameSync(world.home, away);
  mkdirSync(world.home, { mode: 0o700 });
  const second = await world.spawn();
  const own = `control-${second.process.pid}.sock`;
  expect(controlSockets(world).sort()).toEqual([own, 'control.sock']);
  expect(await send(world.home, 'Ping')).toEqual(PONG);
  const exited = once(first.process, 'exit');
  first.process.kill('SIGCONT');
  expect(await exited).toEqual([74, null]);
  expect(controlSockets(world)).toEqual([own]);
  expect([await send(world.home, 'Ping'), pid(world.home)]).toEqual([PONG, second.process.pid]);
});

it('CS6 CS7 a dead socket is removed under any name of ours; what is no socket stays', async () => {
  await using world = new World();
  const first = await world.spawn();
  const directory = join(readlinkSync(join(world.home, 'control.sock')), '..');
  await first.kill();
  leaveDeadSocket(join(directory, 'control-7.sock'));
  writeFileSync(join(directory, 'control-8.sock'), 'a file');
  await world.spawn();
  expect(controlSockets(world).sort()).toEqual(['control-8.sock', 'control.sock']);
});

it('CS8 a daemon whose socket cannot be opened says so in its log, and runs', async () => {
  await using world = new World({ LOOPWATCH_TERMINAL: 'pty' });
  const long = join(world.root, 'r'.repeat(100));
  mkdirSync(long);
  world.environment['XDG_RUNTIME_DIR'] = long;
  const daemon = await world.spawn();
  expect((await daemon.api.get('/healthz')).status).toBe(200);
  expect(readFileSync(join(world.home, 'log/daemon.log'), 'utf8')).toContain(
    'the control socket could not be opened; the daemon runs without it',
  );
  expect([pid(world.home), await send(world.home, 'Ping')]).toMatchObject([
    daemon.process.pid,
    { ok: false, reason: 'absent' },
  ]);
  expect((await world.cli('status')).stdout).toMatch(/^control socket does not answer: nothing/m);
  expect(await world.cli('stop')).toMatchObject({ code: 0 });
});
