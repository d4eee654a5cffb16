/** Very many sessions and loops of one daemon: started, listed, stopped, and nothing left behind. */
import { once } from 'node:events';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { agentsBelow } from '../../support/agents/agent-census.ts';
import type { ApiClient } from '../../support/daemon/api-client.ts';
import { DaemonStory, listedBy } from '../../support/drills/daemon-events.ts';
import { Figures } from '../../support/runs/figures.ts';
import { sized } from '../../support/house/random.ts';
import { until } from '../../support/house/until.ts';
import { World } from '../../support/daemon/world.ts';
import { leftProcesses } from '../../support/daemon/world-processes.ts';

const SESSIONS = sized({ short: 10, middle: 100, long: 500 });
const LOOPS = sized({ short: 4, middle: 40, long: 200 });
/** Concurrent requests. */
const ABREAST = 8;
/** Of one session or loop in a list, in bytes. */
const MAX_EACH = 2_048;

it(`UL7 ${SESSIONS} sessions with ${LOOPS} loops start, are listed, stop, and leave nothing`, async () => {
  await using world = new World();
  const first = await world.spawn();
  const figures = new Figures();
  // Agents that cost next to nothing: the daemon is under test.
  world.writeProgram('claude', 'exec sleep 100000');
  const names = Array.from({ length: SESSIONS }, (_, n) => `s${n}`);
  const looped = names.slice(0, LOOPS);
  await abreast(names, async (name) => first.api.openSession(name, world.taskDir(name)));
  figures.note('opened', first.process.pid ?? 0, await sizesOf(first.api));
  await abreast(looped, async (name) => {
    const { status, body } = await first.api.startLoop(name, world.taskDir(name));
    expect({ status, body }).toMatchObject({ status: 201 });
  });
  figures.note('started', first.process.pid ?? 0, await sizesOf(first.api));
  expect(agentsBelow(join(world.root, 'tasks'))).toHaveLength(LOOPS);
  const story = new DaemonStory();
  await story.compare(first.api);

  await first.kill();
  const { api, process: child } = await world.spawn();
  const pid = child.pid ?? 0;
  await story.compare(api);
  const listed = { sessions: [...names].sort(), loops: [...looped].sort() };
  expect(await listedBy(api)).toMatchObject(listed);
  const sizes = await sizesOf(api);
  figures.note('started again', pid, sizes);
  expect(sizes.sessions / SESSIONS).toBeLessThan(MAX_EACH);
  expect(sizes.loops / LOOPS).toBeLessThan(MAX_EACH);
  expect(agentsBelow(join(world.root, 'tasks'))).toHaveLength(LOOPS);

  await abreast(looped, async (name) => {
    const stop = async () => api.send('DELETE', `/api/sessions/${name}/task-auto`);
    expect((await again(stop)).status).toBe(202);
  });
  const live = async () => {
    await story.read(api);
    return story.history.live.length;
  };
  await until(
    'the loops have ended',
    async () => (await live()) === 0,
    () => story.history.lastSeq,
  );
  figures.note('stopped', pid);
  expect(agentsBelow(join(world.root, 'tasks'))).toEqual([]);
  await abreast(names, async (name) => {
    const close = async () => api.send('DELETE', `/api/sessions/${name}`);
    expect([202, 404]).toContain((await again(close)).status);
  });
  await story.compare(api);
  figures.note('closed', pid, await sizesOf(api));
  expect({ wrong: story.wrong, broken: story.history.broken }).toEqual({ wrong: [], broken: [] });
  const failed = story.records.filter((text) => text.includes('"type":"auto.failed"'));
  expect(failed).toEqual([]);
  expect(story.history.runs.map(({ status }) => status)).toEqual(looped.map(() => 'ended'));
  expect(world.sockets()).toEqual([]);
  const exited = once(child, 'exit');
  child.kill('SIGTERM');
  expect(await exited).toEqual([0, null]);
  expect(await leftProcesses(world)).toEqual([]);
  console.log(figures.lines.join('\n'));
});

/**
 * Retries: a kept connection may be closed just when it is used again, as often as there are
 * connections.
 */
async function again<Result>(act: () => Promise<Result>, tries = ABREAST): Promise<Result> {
  return act().catch(async (error: unknown) => {
    if (tries === 0) throw error;
    return again(act, tries - 1);
  });
}

/** At most `ABREAST` at once. */
async function abreast<Item>(items: readonly Item[], act: (item: Item) => Promise<void>) {
  const left = [...items];
  const worker = async () => {
    for (let item = left.shift(); item !== undefined; item = left.shift()) await act(item);
  };
  await Promise.all(Array.from({ length: ABREAST }, worker));
}

/** Of the daemon's lists, in bytes. */
async function sizesOf(api: ApiClient) {
  const size = async (path: string) => JSON.stringify((await api.get(path)).body).length;
  return {
    sessions: await size('/api/sessions'),
    loops: await size('/api/task-auto'),
    status: await size('/api/status'),
  };
}
