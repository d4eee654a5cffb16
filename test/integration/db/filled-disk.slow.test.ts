/** An agent fills the disk shared by its work, the home and the daemon's database. */
import { once } from 'node:events';
import { mkdirSync, statSync, truncateSync } from 'node:fs';
import { join } from 'node:path';
import Sqlite from 'better-sqlite3';
import { expect, it } from 'vitest';
import { agentsIn } from '../../support/agents/agent-census.ts';
import type { ApiClient } from '../../support/daemon/api-client.ts';
import { allRecords } from '../../support/drills/daemon-events.ts';
import { SmallDisk } from '../../support/drills/small-disk.ts';
import { until } from '../../support/house/until.ts';
import { World } from '../../support/daemon/world.ts';

/** Ignores the stop file, Ctrl-C and the end of its terminal, and writes for as long as it can. */
const FILLER = `trap '' INT TERM HUP
until [ -e ../go ]; do sleep 0.05; done
while :; do head -c 65536 /dev/zero >> filler; sleep 0.02; done 2>/dev/null`;

const LOOP = '/api/sessions/web/task-auto';

/** A world whose tasks and home are on one small disk, and a loop that is about to fill it. */
async function stage(world: World, disk: SmallDisk) {
  disk.bind('.home', world.home);
  world.writeProgram('claude', FILLER);
  const daemon = await world.spawn();
  const directory = world.taskDir('web');
  await daemon.api.openSession('web', directory);
  return { daemon, directory, filler: join(directory, 'filler') };
}

/** Lets the agent begin, and waits until a write is refused. */
async function fill(world: World, api: ApiClient): Promise<void> {
  mkdirSync(join(world.root, 'tasks/go'));
  let limit = 100;
  await until('the disk is full', async () => {
    limit = limit === 999 ? 100 : limit + 1;
    const { status, body } = await api.send('PATCH', LOOP, { maxIterations: limit });
    if (status === 200) return false;
    expect({ status, ...body.error }).toMatchObject({ status: 507, code: 'storage_full' });
    return true;
  });
}

it('FA16, LP7, LP40 an acknowledged stop ends the agent that fills the disk, and is published later', async () => {
  await using world = new World({ LOOPWATCH_STOP_GRACE_MS: '3000' });
  using disk = new SmallDisk(join(world.root, 'tasks'), 4_096);
  const { daemon, directory, filler } = await stage(world, disk);
  const { api, process: child } = daemon;
  expect((await api.startLoop('web', directory)).status).toBe(201);
  expect((await api.send('DELETE', LOOP)).status).toBe(202);
  await fill(world, api);
  const records = await allRecords(api);
  expect((await api.loop('web')).status).toBe('stopping');
  await until('the agent has ended', () => agentsIn(directory).length === 0);
  expect(statSync(filler).size).toBeGreaterThan(0);
  expect((await api.get('/healthz')).status).toBe(200);
  // Something small may still fit into space the database reserved.
  expect((await allRecords(api)).slice(0, records.length)).toEqual(records);

  truncateSync(filler, 0);
  await api.event('auto.ended');
  const events = await api.events('&types=auto.*');
  const steps = events.map(({ type, data }) => ('step' in data ? `${type} ${data.step}` : type));
  expect(steps.filter((step) => step !== 'auto.limits_changed')).toEqual([
    'auto.started',
    'auto.stop_requested',
    'auto.stop_escalated interrupt',
    'auto.stop_escalated kill',
    'auto.ended',
  ]);
  expect((await allRecords(api)).slice(0, records.length)).toEqual(records);
  const exited = once(child, 'exit');
  child.kill('SIGTERM');
  expect(await exited).toEqual([0, null]);
});

it('FA16 LP6 the time limit ends the agent that fills the disk', async () => {
  await using world = new World({ LOOPWATCH_STOP_GRACE_MS: '300' });
  using disk = new SmallDisk(join(world.root, 'tasks'), 4_096);
  const { daemon, directory, filler } = await stage(world, disk);
  const started = await daemon.api.startLoop('web', directory, { timeoutMinutes: 1 });
  expect(started.status).toBe(201);
  await daemon.kill();
  const stored = new Sqlite(join(world.home, 'loopwatch.db'));
  // All but some seconds of the minute have passed.
  stored.prepare("UPDATE task_auto SET state = json_set(state, '$.ageMs', 50000)").run();
  stored.close();
  const { api } = await world.spawn();
  await fill(world, api);
  await until('the agent has ended', () => agentsIn(directory).length === 0);
  truncateSync(filler, 0);
  expect((await api.event('auto.ended')).data).toMatchObject({ reason: 'timeout' });
});

it('FA16, FA1 a person’s stop that cannot be stored is refused, and the agent keeps running', async () => {
  await using world = new World({ LOOPWATCH_STOP_GRACE_MS: '100' });
  using disk = new SmallDisk(join(world.root, 'tasks'), 4_096);
  const { daemon, directory } = await stage(world, disk);
  const { api } = daemon;
  expect((await api.startLoop('web', directory)).status).toBe(201);
  await fill(world, api);
  // It is followed by the programs it starts, which come and go.
  const [agent = 0] = agentsIn(directory);
  expect((await api.send('DELETE', LOOP)).status).toBe(507);
  for (let n = 0; n < 20; n += 1) expect((await api.loop('web')).status).toBe('running');
  expect(agentsIn(directory)).toContain(agent);
  // The kill of an agent needs no disk.
  process.kill(agent, 'SIGKILL');
});
