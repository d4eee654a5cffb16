/** A stop, a limit and a deletion reach the agent while its terminal's server does not answer. */
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import Sqlite from 'better-sqlite3';
import { describe, expect, it } from 'vitest';
import {
  isAlive,
  type ProcessIdentity,
  readProcess,
} from '../../../server/lib/processes/process-identity.ts';
import { agentsIn } from '../../support/agents/agent-census.ts';
import type { ApiClient } from '../../support/daemon/api-client.ts';
import { serverOf } from '../../support/terminals/tmux-servers.ts';
import { World } from '../../support/daemon/world.ts';

/** An agent that ignores the stop file, Ctrl-C, the end of its terminal and SIGTERM. */
const STUBBORN = "trap '' INT TERM HUP; while :; do sleep 0.1; done";
const QUICK = { LOOPWATCH_STOP_GRACE_MS: '300', LOOPWATCH_KILL_GRACE_MS: '300' };

const FAULTS: Record<string, (world: World, server: ProcessIdentity) => void> = {
  'has no socket any more': (world) => {
    for (const socket of world.sockets()) rmSync(socket);
  },
  'was stopped by a signal': (_, { pid }) => void process.kill(pid, 'SIGSTOP'),
};

describe.each(Object.keys(FAULTS))('a tmux server that %s', (fault) => {
  it('LP7, LP30, LP40 a stop is enforced, across a restart of the daemon', async () => {
    await using world = new World({ ...QUICK, LOOPWATCH_STOP_GRACE_MS: '1500' });
    const first = await world.spawn();
    const directory = await startStubborn(world, first.api);
    using server = breakServer(world, fault);
    expect(isAlive(server)).toBe(true);
    expect((await first.api.send('DELETE', '/api/sessions/web/task-auto')).status).toBe(202);
    await first.kill();
    const { api } = await world.spawn();
    expect((await api.event('auto.ended')).data).toMatchObject({ reason: 'user_stop' });
    const escalated = await api.events('&types=auto.stop_escalated');
    expect(escalated.map(({ data }) => 'step' in data && data.step)).toEqual(['interrupt', 'kill']);
    expect(agentsIn(directory)).toEqual([]);
  });

  it('LP6, LP30 the time limit is enforced', async () => {
    await using world = new World(QUICK);
    const { api, daemon } = await world.start();
    const directory = await startStubborn(world, api);
    using server = breakServer(world, fault);
    expect(isAlive(server)).toBe(true);
    await daemon.close();
    const stored = new Sqlite(join(world.home, 'loopwatch.db'));
    // A minute less one second has passed.
    stored
      .prepare(
        "UPDATE task_auto SET timeout_minutes = 1, state = json_set(state, '$.ageMs', 59000)",
      )
      .run();
    stored.close();
    const { api: again } = await world.start();
    expect((await again.event('auto.ended')).data).toMatchObject({ reason: 'timeout' });
    expect(agentsIn(directory)).toEqual([]);
  });

  it('SE16 a deleted session leaves neither its server nor a program behind', async () => {
    await using world = new World(QUICK);
    const { api } = await world.start();
    const directory = await startStubborn(world, api);
    using server = breakServer(world, fault);
    expect(await api.send('DELETE', '/api/sessions/web')).toEqual({
      status: 202,
      body: { status: 'closing' },
    });
    expect((await api.get('/api/sessions/web')).status).toBe(404);
    expect(isAlive(server)).toBe(false);
    expect(agentsIn(directory)).toEqual([]);
  });
});

async function startStubborn(world: World, api: ApiClient): Promise<string> {
  world.writeProgram('claude', STUBBORN);
  const directory = world.taskDir('web');
  await api.openSession('web', directory);
  expect((await api.startLoop('web', directory)).status).toBe(201);
  return directory;
}

/** The server of the session "web", broken; it is ended with the test. */
function breakServer(world: World, fault: string): ProcessIdentity & Disposable {
  const found = readProcess(serverOf(world, 'web') ?? 0);
  if (found === null) throw new Error('the tmux server is not there');
  const server = { pid: found.pid, startedAt: found.startedAt };
  FAULTS[fault]?.(world, server);
  return {
    ...server,
    [Symbol.dispose]() {
      if (isAlive(server)) process.kill(server.pid, 'SIGKILL');
    },
  };
}
