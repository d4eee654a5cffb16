/** What the machine and its user do to a running daemon: no watches, other pids, a port in use. */
import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import Sqlite from 'better-sqlite3';
import { expect, it } from 'vitest';
import { isAlive, readProcess } from '../../../server/lib/processes/process-identity.ts';
import { agentsIn } from '../../support/agents/agent-census.ts';
import { putSignal, signalText, startSilentLoop } from '../../support/auto/signal-files.ts';
import { until } from '../../support/house/until.ts';
import { World } from '../../support/daemon/world.ts';

const NO_INOTIFY = 'echo 0 > /proc/sys/user/max_inotify_instances && exec "$@"';

it('FA6, SG5 without notifications of the system signals are found by polling, and that is logged once', async () => {
  await using world = new World();
  const { api } = await world.spawn(['unshare', '-U', '-r', 'sh', '-c', NO_INOTIFY, 'sh']);
  const directory = await startSilentLoop(world, api, 'web');
  await until('the loop is polled for', () => said(world, 'cannot watch the signal file') > 0);
  for (let iteration = 1; iteration <= 4; iteration += 1) {
    putSignal(directory, signalText({ iteration }));
    await until('the signal', async () => (await api.loop('web')).iteration === iteration);
  }
  expect(said(world, 'cannot watch the signal file')).toBe(1);
});

it('FA8 a pid reused by another program is not the agent', async () => {
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
    raw
      .prepare("UPDATE task_auto SET state = json_set(state, '$.agentProcess.pid', ?)")
      .run(pid.pid);
    raw.close();
    const { api } = await world.spawn();
    await api.event('auto.restarted');
    expect(agentsIn(directory)).toHaveLength(1);
    expect(isAlive(pid)).toBe(true);
  } finally {
    stranger.kill('SIGKILL');
  }
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
