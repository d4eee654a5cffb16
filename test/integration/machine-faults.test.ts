/** What the machine and its user do to a running daemon: no watches, no files, stops, other pids. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { join } from 'node:path';
import Sqlite from 'better-sqlite3';
import { expect, it } from 'vitest';
import { isAlive, readProcess } from '../../server/lib/process-identity.ts';
import { agentsIn } from '../support/agent-census.ts';
import { openWsConsumer } from '../support/open-ws-consumer.ts';
import { putSignal, signalText, startSilentLoop } from '../support/signal-files.ts';
import { until } from '../support/until.ts';
import { World } from '../support/world.ts';

const NO_INOTIFY = 'echo 0 > /proc/sys/user/max_inotify_instances && exec "$@"';
const POLL_MS = 1_000;

it('FA6 SG5 without a watch of the system signals are found by the poll, and that is said once', async () => {
  await using world = new World({ LOOPWATCH_SIGNAL_POLL_MS: String(POLL_MS) });
  const { api } = await world.spawn(['unshare', '-U', '-r', 'sh', '-c', NO_INOTIFY, 'sh']);
  const directory = await startSilentLoop(world, api, 'web');
  await until('the loop is polled for', () => said(world, 'no watch') > 0);
  const latencies: number[] = [];
  for (let iteration = 1; iteration <= 4; iteration += 1) {
    const before = performance.now();
    putSignal(directory, signalText({ iteration }));
    await until('the signal', async () => (await api.loop('web')).iteration === iteration);
    latencies.push(performance.now() - before);
  }
  expect(Math.max(...latencies)).toBeLessThan(POLL_MS + 1_000);
  expect(said(world, 'no watch')).toBe(1);
});

it('FA7 sockets up to the limit of open files are turned away; the work and who is here go on', async () => {
  await using world = new World();
  const { api } = await world.spawn(['prlimit', '--nofile=256:256']);
  const directory = await startSilentLoop(world, api, 'web');
  const agents = agentsIn(directory);
  await using reader = await openWsConsumer(api, { after: null, types: ['auto.*'] });
  const sockets: Socket[] = [];
  try {
    const { port, hostname } = new URL(api.url);
    for (let n = 0; n < 400; n += 1) {
      const socket = connect(Number(port), hostname);
      socket.on('error', () => undefined);
      sockets.push(socket);
    }
    await until('some are turned away', () => sockets.filter(({ closed }) => closed).length > 200);
    for (let iteration = 1; iteration <= 5; iteration += 1) {
      putSignal(directory, signalText({ iteration }));
      expect(JSON.parse(await reader.event())).toMatchObject({
        type: 'auto.signal',
        data: { iteration },
      });
    }
    expect(agentsIn(directory)).toEqual(agents);
  } finally {
    for (const socket of sockets) socket.destroy();
  }
  await until('it answers again', async () => {
    const answer = await api.get('/healthz').catch(() => null);
    return answer?.status === 200;
  });
  expect(await api.loop('web')).toMatchObject({
    status: 'running',
    iteration: 5,
    restart_count: 0,
  });
});

it('FA8 a pid that was given to another program is not the agent', async () => {
  await using world = new World();
  const first = await world.spawn();
  const directory = await startSilentLoop(world, first.api, 'web');
  await first.kill();
  const [agent = 0] = agentsIn(directory);
  process.kill(agent, 'SIGKILL');
  const stranger = spawn('sleep', ['1000'], { cwd: world.root, detached: true });
  try {
    const pid = await until('the stranger runs', () => {
      const found = readProcess(stranger.pid ?? 0);
      return found?.name === 'sleep' ? found : null;
    });
    const raw = new Sqlite(join(world.home, 'loopwatch.db'));
    raw.prepare('UPDATE task_auto SET agent_pid = ?').run(pid.pid);
    raw.close();
    const { api } = await world.spawn();
    await api.event('auto.restarted');
    expect(agentsIn(directory)).toHaveLength(1);
    expect(isAlive(pid)).toBe(true);
  } finally {
    stranger.kill('SIGKILL');
  }
});

it('FA10 WI7 a second SIGTERM ends the daemon at once; the home is free and the agent goes on', async () => {
  await using world = new World();
  const { api, process: child } = await world.spawn();
  const directory = await startSilentLoop(world, api, 'web');
  const { port, hostname } = new URL(api.url);
  // A request that never ends keeps the first SIGTERM busy for its whole second.
  const held = connect(Number(port), hostname);
  held.on('error', () => undefined);
  held.write('POST /api/demo HTTP/1.1\r\nhost: 127.0.0.1\r\ncontent-length: 10\r\n\r\n');
  await once(held, 'connect');
  await api.get('/healthz');
  const gone = once(child, 'exit');
  child.kill('SIGTERM');
  // One that comes before the first was heard is none.
  const again = setInterval(() => child.kill('SIGTERM'), 10);
  // Its own end at the second signal, not the system's, and not the first one's.
  expect(await gone).toEqual([1, null]);
  clearInterval(again);
  held.destroy();
  const { api: next } = await world.spawn();
  expect((await next.loop('web')).status).toBe('running');
  expect(agentsIn(directory)).toHaveLength(1);
});

it('FA11 CL1 a port that another Loopwatch daemon has is 73 and names its pid', async () => {
  await using world = new World();
  await using other = new World();
  const { process: child, url } = await world.spawn();
  other.environment['PORT'] = new URL(url).port;
  const { code, stderr } = await other.cli('start');
  expect(code).toBe(73);
  expect(stderr).toContain(`in use by another Loopwatch daemon (pid ${child.pid ?? 0})`);
});

function said(world: World, words: string): number {
  const log = readFileSync(join(world.home, 'log', 'daemon.log'), 'utf8');
  return log.split('\n').filter((line) => line.includes(words)).length;
}
