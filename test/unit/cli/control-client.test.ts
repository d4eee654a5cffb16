import { execFileSync, spawnSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import type { Socket } from 'node:net';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { isRunning, pid, send } from '../../../server/control/control-client.ts';
import type { ControlResult } from '../../../server/control/control-messages.ts';
import { livingProcess, PID_FILE, writePidFile } from '../../../server/control/pid-file.ts';
import { sendCommand } from '../../../server/control/send-command.ts';
import { pylonDirectory } from '../../../server/lib/config/config.ts';
import { packageRoot } from '../../../server/lib/package-root.ts';
import { leaveDeadSocket, listenOn } from '../../support/daemon/control-exchange.ts';
import { ManualClock } from '../../support/house/manual-clock.ts';
import { TEST_ROOT } from '../../support/house/test-root.ts';

let root: string;
let path: string;
const servers: AsyncDisposable[] = [];

beforeEach(() => {
  root = mkdtempSync(join(TEST_ROOT, 'c'));
  path = join(root, 'control.sock');
});
afterEach(async () => {
  for (const server of servers.splice(0)) await server[Symbol.asyncDispose]();
  rmSync(root, { recursive: true });
});

async function serveWith(serve: (socket: Socket) => void): Promise<void> {
  servers.push(await listenOn(path, serve));
}

const STATUS = {
  running: true,
  uptime_secs: 7,
  provider_active: false,
  host_active: true,
  jobs_completed: 2,
  earnings_msats: 2100,
};

const says = (bytes: string) => (socket: Socket) => void socket.end(bytes);

it.each([
  ['Pong', '"Pong"\n', 'Pong'],
  ['Ok', '"Ok"\n', 'Ok'],
  ['an error', '{"Error":"no"}\n', { Error: 'no' }],
  ['a status', `${JSON.stringify({ Status: STATUS })}\n`, { Status: STATUS }],
  [
    'a status with more',
    `${JSON.stringify({ Status: { ...STATUS, peers: 3 } })}\n`,
    { Status: STATUS },
  ],
  ['the first of two lines', '"Pong"\n"Ok"\n', 'Pong'],
])('CS11 %s is a reply', async (_, bytes, reply) => {
  await serveWith(says(bytes));
  expect(await sendCommand(path, 'Status')).toEqual({ ok: true, reply });
});

it.each([
  ['a word of no meaning', says('"Yes"\n'), 'invalid_reply'],
  ['no JSON', says('Pong\n'), 'invalid_reply'],
  ['a name from the code', says('too_long\n'), 'invalid_reply'],
  ['a status that lacks a field', says('{"Status":{"running":true}}\n'), 'invalid_reply'],
  [
    'text where a boolean belongs',
    says(`${JSON.stringify({ Status: { ...STATUS, running: 'not running' } })}\n`),
    'invalid_reply',
  ],
  ['nothing', says(''), 'closed'],
  ['a reply without its end', says('"Pong"'), 'closed'],
  ['a connection that is cut', (socket: Socket) => void socket.destroy(), 'closed'],
  ['a reply without end', (socket: Socket) => void socket.write('x'.repeat(5_000)), 'too_large'],
])('CS11 %s is a typed failure', async (_, serve, reason) => {
  await serveWith(serve);
  expect(await sendCommand(path, 'Ping')).toMatchObject({ ok: false, reason });
});

it('CS11 a server that says nothing ends the wait after the given time', async () => {
  const clock = new ManualClock();
  await serveWith(() => undefined);
  let result: ControlResult | null = null;
  const done = sendCommand(path, 'Ping', { timeoutMs: 300 }, clock).then(
    (found) => (result = found),
  );
  clock.advance(299);
  await new Promise(setImmediate);
  expect(result).toBe(null);
  clock.advance(1);
  expect(await done).toEqual({
    ok: false,
    reason: 'timeout',
    message: `no reply from ${path} within 300 ms`,
  });
  const standard = sendCommand(path, 'Ping', {}, clock);
  clock.advance(5_000);
  expect(await standard).toMatchObject({ reason: 'timeout' });
});

it.each([0, -1, NaN, Infinity, 2 ** 31])('CS11 a time-out of %s is refused', async (timeoutMs) => {
  await expect(sendCommand(path, 'Ping', { timeoutMs })).rejects.toThrow(RangeError);
});

it('CS11 G-38 absence is a result: no directory, no socket, a dead one, a file in its place', async () => {
  writeFileSync(join(root, 'file'), '');
  leaveDeadSocket(join(root, 'dead'));
  for (const name of ['none/control.sock', 'none', 'dead', 'file', 'file/control.sock']) {
    const result = await sendCommand(join(root, name), 'Ping');
    expect([name, result]).toMatchObject([name, { ok: false, reason: 'absent' }]);
  }
});

it('CS11 a path that the kernel would cut short is not used, except for a link that leads to a short one', async () => {
  const home = join(root, 'h'.repeat(120));
  mkdirSync(home);
  expect(await send(home, 'Ping')).toMatchObject({ ok: false, reason: 'unreachable' });
  await serveWith(says('"Pong"\n'));
  symlinkSync(path, join(home, 'control.sock'));
  expect(await send(home, 'Ping')).toEqual({ ok: true, reply: 'Pong' });
});

it('CS9 B4-9 a daemon is the process with the pid and the start time of its file', () => {
  expect([isRunning(root), pid(root)]).toEqual([false, null]);
  const remove = writePidFile(root);
  expect([isRunning(root), pid(root)]).toEqual([true, process.pid]);
  // The same pid, as after a restart of the machine.
  writeFileSync(join(root, PID_FILE), `${process.pid}\nstart=1\n`);
  expect([isRunning(root), pid(root)]).toEqual([false, null]);
  // It is not ours any more.
  remove();
  expect(existsSync(join(root, PID_FILE))).toBe(true);
  writePidFile(root)();
  expect(existsSync(join(root, PID_FILE))).toBe(false);
});

it('CS9 a process that has ended is not running', () => {
  const { pid: ended } = spawnSync('true');
  writeFileSync(join(root, 'pylon.pid'), `${ended}\n`);
  expect(livingProcess(join(root, 'pylon.pid'))).toBe(null);
});

it.each([
  ['empty', ''],
  ['words', 'running\n'],
  ['a pid and words', `${process.pid} not running\n`],
  ['two pids', `${process.pid}\n${process.pid}\n`],
  ['zero', '0\n'],
  ['negative', `-${process.pid}\n`],
  ['a sign', `+${process.pid}\n`],
  ['a fraction', `${process.pid}.0\n`],
  ['hexadecimal', `0x${process.pid.toString(16)}\n`],
  ['leading zeros', `000${process.pid}\n`],
  ['more than a pid can be', '4294967297\n'],
  ['a broken start', `${process.pid}\nstart=%\n`],
  ['long', `${process.pid}${' '.repeat(300)}\n`],
])('CS9 a pid file that is %s names nothing', (_, content) => {
  const file = join(root, 'pylon.pid');
  writeFileSync(file, content);
  expect(livingProcess(file)).toBe(null);
});

it.each([String(process.pid), `${process.pid}\n`, ` ${process.pid} \r\n`])(
  'CS9 a pid file of only a pid names its process (%j)',
  (content) => {
    writeFileSync(join(root, 'pylon.pid'), content);
    expect(livingProcess(join(root, 'pylon.pid'))).toEqual({ pid: process.pid, startedAt: null });
  },
);

it('CS9 a FIFO or a directory in the place of a pid file names nothing', () => {
  execFileSync('mkfifo', [join(root, 'fifo')]);
  expect([livingProcess(join(root, 'fifo')), livingProcess(root)]).toEqual([null, null]);
});

it('CS9 a process that may not be signalled is alive', () => {
  writeFileSync(join(root, 'pylon.pid'), '1\n');
  for (const each of [TEST_ROOT, root]) chmodSync(each, 0o755);
  chmodSync(join(root, 'pylon.pid'), 0o644);
  const library = pathToFileURL(join(packageRoot(), 'dist/server/control/control-client.js')).href;
  const script = `
    const { getPylonPid, isPylonRunning } = await import('${library}');
    let code = '';
    try { process.kill(1, 0); } catch (error) { code = error.code; }
    console.log(JSON.stringify([code, isPylonRunning(), getPylonPid()]));`;
  const command = [process.execPath, '--input-type=module', '-e', script];
  const other = ['setpriv', '--reuid=65534', '--regid=65534', '--clear-groups', ...command];
  const [program = '', ...words] = process.getuid?.() === 0 ? other : command;
  const env = { ...process.env, PYLON_HOME: root };
  const output = execFileSync(program, words, { encoding: 'utf8', env });
  expect(JSON.parse(output)).toEqual(['EPERM', true, 1]);
});

it('CS10 G-38 a Pylon is below the home directory, or where PYLON_HOME says', () => {
  const where = (environment: NodeJS.ProcessEnv) => pylonDirectory(environment);
  expect([
    where({ HOME: '/home/ada' }),
    where({ HOME: '/home/ada', PYLON_HOME: '' }),
    where({ HOME: '/home/ada', PYLON_HOME: '/srv/pylon' }),
    where({ HOME: '' }),
    where({}),
  ]).toEqual([
    '/home/ada/.openagents/pylon',
    '/home/ada/.openagents/pylon',
    '/srv/pylon',
    '.openagents/pylon',
    '.openagents/pylon',
  ]);
});
