/** Real daemons on a real NATS server, killed while a task is on its way to another host. */
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import Sqlite from 'better-sqlite3';
import { expect, it } from 'vitest';
import { FleetWorld, reaches } from '../../support/fleet/fleet-world.ts';
import { NatsServer } from '../../support/fleet/nats-server.ts';
import { place, SharedProject } from '../../support/tasks/shared-project.ts';
import { until } from '../../support/house/until.ts';
import type { SpawnedDaemon, World } from '../../support/daemon/world.ts';

/** How many rows a home has of a task with that id. */
function rows({ home }: World, table: 'placements' | 'tasks', id: string): number {
  const raw = new Sqlite(join(home, 'loopwatch.db'), { readonly: true });
  try {
    const count = raw.prepare(`SELECT count(*) FROM ${table} WHERE id = ?`).pluck();
    return Number(count.get(id));
  } finally {
    raw.close();
  }
}

/** A host of the fleet as another process sees it. */
interface Host {
  world: World;
  daemon: SpawnedDaemon;
}

async function reachesOther({ world, daemon }: Host, name: string): Promise<void> {
  const { url, api } = daemon;
  await reaches({ id: '', world, daemon: { url } as never, api }, name);
}

it('FO7 FO9 whichever host is killed while a task is created, it exists once', async () => {
  await using server = await NatsServer.start();
  await using fleet = new FleetWorld();
  using project = new SharedProject();
  const worlds = { one: fleet.joined('one', server.url), two: fleet.joined('two', server.url) };
  const root_folder = project.clone(worlds.one, 'shop');
  const other = project.clone(worlds.two, 'work/checkout');
  const start = async (world: World): Promise<Host> => ({ world, daemon: await world.spawn() });
  let one = await start(worlds.one);
  let two = await start(worlds.two);
  /** When the kill comes, and to whom. */
  const kills = [
    { victim: 'two', when: () => ['placements', worlds.one] as const },
    { victim: 'one', when: () => ['placements', worlds.one] as const },
    { victim: 'one', when: () => ['tasks', worlds.two] as const },
    { victim: 'two', when: () => ['tasks', worlds.two] as const },
  ];
  const firsts: number[] = [];
  for (const [n, { victim, when }] of kills.entries()) {
    await reachesOther(one, 'two');
    const id = randomUUID();
    const name = `task-${n}`;
    const body = { id, root_folder, placement: { host: 'two' }, auto_start: false };
    const ask = async () =>
      place(one.daemon.url, name, body).then(
        ({ status }) => status,
        () => 0,
      );
    const first = ask();
    const [table, at] = when();
    let isOver = false;
    void first.then(() => (isOver = true));
    await until(`${victim} is to be killed`, () => isOver || rows(at, table, id) > 0);
    await (victim === 'one' ? one : two).daemon.kill();
    firsts.push(await first);
    if (victim === 'one') one = await start(worlds.one);
    else two = await start(worlds.two);
    await until(`${name} is created`, async () => (await ask()) === 200);
    expect([rows(worlds.one, 'tasks', id), rows(worlds.two, 'tasks', id)]).toEqual([0, 1]);
    const task = await two.daemon.api.get(`/api/v1/tasks/by-name/${name}`);
    expect(task.body).toMatchObject({ id, root_folder: other, placed: { host: 'two', by: 'one' } });
    expect(task.body['worktree_path']).toContain('checkout');
  }
  // Not all of them came too late.
  expect(firsts.filter((status) => status !== 200)).not.toEqual([]);
});
