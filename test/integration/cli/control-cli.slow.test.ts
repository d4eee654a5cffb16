/** `loopwatch status`, `ping` and `stop`, and the library `loopwatch/control`. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readFileSync, readlinkSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import type { Socket } from 'node:net';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readProcess } from '../../../server/lib/processes/process-identity.ts';
import { packageRoot } from '../../../server/lib/package-root.ts';
import { listenOn } from '../../support/daemon/control-exchange.ts';
import { World } from '../../support/daemon/world.ts';

/** At once, since they mostly wait. */
const it = test.concurrent;

const STATUS = {
  running: true,
  uptime_secs: 3_661,
  provider_active: true,
  host_active: false,
  jobs_completed: 5,
  earnings_msats: 0,
};

/** A Pylon of that world: this process, and a socket that is served as given. */
async function pylon(
  world: World,
  serve: (socket: Socket) => void,
): Promise<AsyncDisposable & { pid: number }> {
  const directory = join(world.root, 'user/.openagents/pylon');
  mkdirSync(directory, { recursive: true });
  writeFileSync(join(directory, 'pylon.pid'), `${process.pid}\n`);
  const server = await listenOn(join(directory, 'control.sock'), serve);
  return { pid: process.pid, ...server };
}

it('CS12 status shows the control socket, and a Pylon only when one runs', async () => {
  await using world = new World();
  const { process: child } = await world.spawn();
  const alone = await world.cli('status');
  expect(alone.stdout).toMatch(new RegExp(`, pid ${child.pid}, since \\S+\n`));
  expect(alone.stdout).toMatch(/^control socket \/\S+\/control\.sock$/m);
  expect(alone.stdout).not.toContain('Pylon');
  expect(JSON.parse((await world.cli('status', '--json')).stdout)).toMatchObject({
    status: { pid: child.pid },
    control: { socket: readlinkSync(join(world.home, 'control.sock')), problem: null },
    pylon: null,
  });
  await using other = await pylon(world, (socket) => {
    socket.end(`${JSON.stringify({ Status: STATUS })}\n`);
  });
  const { stdout } = await world.cli('status');
  expect(stdout).toContain(`\nPylon pid ${other.pid}, running for 1:01:01, jobs completed: 5\n`);
  expect(JSON.parse((await world.cli('status', '--json')).stdout)).toMatchObject({
    pylon: { pid: other.pid, status: STATUS, problem: null },
  });
});

it.each([
  ['stopped', { Status: { ...STATUS, running: false } }, ', stopped, jobs completed: 5\n'],
  [
    'an error with an escape',
    { Error: 'not running\u001b[2J\nPylon' },
    ' does not answer: unexpected reply: not running\\u{1b}[2J Pylon\n',
  ],
])(
  'CS12 B4-9 a Pylon that says it is %s is shown so, in one harmless line',
  async (_, reply, line) => {
    await using world = new World();
    await world.spawn();
    await using other = await pylon(
      world,
      (socket) => void socket.end(`${JSON.stringify(reply)}\n`),
    );
    expect((await world.cli('status')).stdout).toContain(`\nPylon pid ${other.pid}${line}`);
  },
);

it('CS12 a Pylon that hangs does not hold up the status', async () => {
  await using world = new World();
  await world.spawn();
  await using other = await pylon(world, () => undefined);
  const { code, stdout } = await world.cli('status');
  expect([code, stdout]).toEqual([
    0,
    expect.stringMatching(
      new RegExp(`^Pylon pid ${other.pid} does not answer: no reply .* 1000 ms$`, 'm'),
    ),
  ]);
});

it('CS13 stop says that sessions without tmux end with the daemon', async () => {
  await using world = new World({ LOOPWATCH_TERMINAL: 'pty' });
  await world.spawn();
  expect(await world.cli('stop')).toEqual({
    code: 0,
    stdout: 'daemon stopped, and its sessions with it; turns of tasks and runs keep running\n',
    stderr: '',
  });
});

it('CL1 a file of the home that cannot be read is named, rather than no daemon', async () => {
  await using world = new World();
  const path = join(world.home, 'daemon.json');
  mkdirSync(path, { recursive: true });
  const { code, stderr } = await world.cli('session', 'ls');
  const text = `${path} cannot be read (EISDIR); run this as the user of the daemon`;
  expect([code, stderr]).toEqual([78, expect.stringContaining(text)]);
});

it('CS13 stop needs no token, and ends when the process has', async () => {
  await using world = new World();
  const { process: child } = await world.spawn();
  const exited = once(child, 'exit');
  const result = await world.cliWith({ LOOPWATCH_TOKEN: 'A'.repeat(43) }, 'stop');
  expect(result).toMatchObject({ code: 0, stderr: '' });
  expect(result.stdout).toBe('daemon stopped; sessions and agents keep running\n');
  expect(await exited).toEqual([0, null]);
  expect(await world.cli('stop')).toMatchObject({ code: 3, stdout: '' });
});

it.each(['without its socket', 'without its pid file'])(
  'CS13 stop ends a daemon %s',
  async (how) => {
    await using world = new World();
    const { process: child } = await world.spawn();
    const exited = once(child, 'exit');
    rmSync(join(world.home, how === 'without its socket' ? 'control.sock' : 'loopwatch.pid'));
    expect(await world.cli('stop')).toMatchObject({ code: 0 });
    expect(await exited).toEqual([0, null]);
  },
);

it('CS13 stop signals no process that has the pid of a daemon that was killed', async () => {
  await using world = new World();
  const daemon = await world.spawn();
  await daemon.kill();
  // Of a daemon that is gone; this process has the pid now.
  writeFileSync(join(world.home, 'loopwatch.pid'), `${process.pid}\nstart=1\n`);
  expect(await world.cli('stop')).toMatchObject({ code: 3 });
});

it('CS13 stop fails with 1 when a daemon does not end', async () => {
  await using world = new World();
  const { process: child } = await world.spawn();
  child.kill('SIGSTOP');
  const { code, stderr } = await world.cli('stop');
  expect([code, stderr]).toEqual([
    1,
    expect.stringMatching(/did not stop: nothing changed for 10 s; check its log/),
  ]);
  expect(readProcess(child.pid ?? 0)).not.toBe(null);
});

it('CS14 ping: 0 and the pid, 3 without a daemon, 1 when it does not answer', async () => {
  await using world = new World();
  expect(await world.cli('ping')).toMatchObject({ code: 3, stdout: '' });
  const { process: child } = await world.spawn();
  const wrong = { LOOPWATCH_TOKEN: 'A'.repeat(43) };
  expect(await world.cliWith(wrong, 'ping')).toEqual({
    code: 0,
    stdout: `Pong from pid ${child.pid}\n`,
    stderr: '',
  });
  const json = await world.cli('ping', '--json');
  expect(JSON.parse(json.stdout)).toEqual({ reply: 'Pong', pid: child.pid });
  rmSync(join(world.home, 'control.sock'));
  const { code, stderr } = await world.cli('ping');
  expect([code, stderr]).toEqual([
    1,
    expect.stringMatching(
      /^loopwatch: the daemon does not answer: nothing listens .*; check: loopwatch status\n$/,
    ),
  ]);
});

/** The example of the guide, which must run as it is printed. */
function example(): string {
  const page = readFileSync(join(packageRoot(), 'docs/control.md'), 'utf8');
  return /```js\n([\s\S]*?)\n```/.exec(page)?.[1] ?? '';
}

it('CS15 G-38 the example of the guide runs with the package, and its types hold', async () => {
  await using world = new World();
  const { process: child } = await world.spawn();
  await using other = await pylon(world, (socket) => {
    socket.end(`${JSON.stringify({ Status: STATUS })}\n`);
  });
  const cwd = join(world.root, 'script');
  mkdirSync(join(cwd, 'node_modules'), { recursive: true });
  symlinkSync(packageRoot(), join(cwd, 'node_modules/loopwatch'));
  const wrong = "import { pid } from 'loopwatch/control';\nexport const text: string = pid('/');\n";
  const files = { 'example.mjs': example(), 'example.mts': example(), 'wrong.mts': wrong };
  for (const [name, text] of Object.entries(files)) writeFileSync(join(cwd, name), text);
  const run = async (...words: string[]) => {
    const script = spawn(process.execPath, words, { cwd, env: world.environment });
    let output = '';
    script.stdout.on('data', (data: Buffer) => (output += data.toString()));
    script.stderr.on('data', (data: Buffer) => (output += data.toString()));
    await once(script, 'close');
    return output;
  };
  expect(await run('example.mjs')).toBe(
    `Pylon ${other.pid}: 5 jobs\nLoopwatch ${child.pid} is up\n`,
  );
  const modules = join(packageRoot(), 'node_modules');
  const compiler = [join(modules, 'typescript/bin/tsc'), '--strict', '--noEmit'];
  const options = ['--module', 'nodenext', '--target', 'es2022', '--types', 'node'];
  const typed = [...compiler, ...options, '--typeRoots', join(modules, '@types')];
  // Nothing is wrong but the one line that was meant to be.
  expect(await run(...typed, 'example.mts', 'wrong.mts')).toMatch(
    /^wrong\.mts[^\n]* error TS2322: Type 'number \| null'[^\n]*\n( [^\n]*\n)*$/,
  );
});
