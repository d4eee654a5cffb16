/** Loops of a database that another program wrote, or whose sessions are not in it. */
import { mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { STOP_FILE } from '../../../shared/schema/loops/auto-signal.ts';
import { DATABASE_FILE } from '../../../server/db/database.ts';
import { agentsIn } from '../../support/agents/agent-census.ts';
import { PUBLISHED_TABLE, writeDatabase } from '../../support/drills/database-files.ts';
import { until } from '../../support/house/until.ts';
import { World } from '../../support/daemon/world.ts';

const MINUTE_MS = 60_000;
const PASS = { step: 'check', result: 'PASS', next: 'exec' };
const WORKS = { after: 'exit', steps: [{ do: 'step', work_ms: 600_000, signal: PASS }] };

interface PublishedRow {
  session: string;
  taskDir: string;
  startedMsAgo: number;
  quotaMsAgo?: number;
}

/** A home as another program left it: its rows, and no sessions. */
function makeForeign(world: World, rows: readonly PublishedRow[]): void {
  mkdirSync(world.home, { mode: 0o700 });
  const file = join(world.home, DATABASE_FILE);
  writeDatabase(file, PUBLISHED_TABLE);
  for (const { session, taskDir, startedMsAgo, quotaMsAgo } of rows) {
    const since = quotaMsAgo === undefined ? '' : ago(quotaMsAgo);
    writeDatabase(
      file,
      `INSERT INTO task_auto (session_name, task_dir, iteration_count, started_at, quota_wait_since)
       VALUES ('${session}', '${taskDir}', 7, '${ago(startedMsAgo)}', '${since}')`,
    );
  }
}

function ago(ms: number): string {
  return new Date(Date.now() - ms).toISOString();
}

it('LP70 LP72 a loop of another database runs on in a session of its directory, and keeps its start', async () => {
  await using world = new World();
  const taskDir = world.taskDir('web', WORKS);
  makeForeign(world, [{ session: 'web', taskDir, startedMsAgo: 10 * MINUTE_MS }]);
  const first = await world.spawn();
  await until('its agent', () => agentsIn(taskDir).length === 1);
  // Its agent is there before it is seen.
  const loop = await until('it runs', async () => {
    const now = await first.api.loop('web');
    return now.status === 'running' ? now : null;
  });
  expect(loop).toMatchObject({ iteration: 7, restart_count: 1 });
  const session = (await first.api.get('/api/sessions/web')).body;
  expect(session).toMatchObject({ cwd: taskDir, owner: 'auto', status: 'open' });
  await first.kill();
  const { api } = await world.start();
  const { body } = await api.get('/api/task-auto/history?session=web');
  const runs = body['runs'] as { started_at: string; seconds: { working: number } }[];
  expect(runs).toMatchObject([
    { task_dir: taskDir, complete: false, iterations: 7, ended_at: null },
  ]);
  expect(runs[0]?.started_at).toBe(loop.started_at);
  expect(runs[0]?.seconds.working).toBeGreaterThan(590);
  // One daemon adopts it, the next one finds it.
  expect(await api.events('&types=auto.started')).toHaveLength(1);
  expect(agentsIn(taskDir)).toHaveLength(1);
});

it('LP72 the wait for quota of another database does not count to the time limit', async () => {
  await using world = new World({ LOOPWATCH_RESTART_DELAYS_MS: '600000' });
  const taskDir = world.taskDir('web', WORKS);
  const times = { startedMsAgo: 40 * MINUTE_MS, quotaMsAgo: 30 * MINUTE_MS };
  makeForeign(world, [{ session: 'web', taskDir, ...times }]);
  const { api } = await world.start();
  const loop = await api.loop('web');
  expect(loop.status).toBe('restart_wait');
  expect(loop.quota_wait_seconds).toBeGreaterThan(1_790);
  expect(loop.elapsed_seconds).toBeLessThan(900);
  const { body } = await api.get('/api/task-auto/history?session=web');
  const [run] = body['runs'] as { seconds: { working: number; quota: number } }[];
  expect(run?.seconds.quota).toBeGreaterThan(1_790);
  expect(run?.seconds.working).toBeLessThan(900);
});

it('LP70 LP71 a loop of another database whose time is over ends as that, without a session', async () => {
  await using world = new World();
  const taskDir = world.taskDir('web', WORKS);
  makeForeign(world, [{ session: 'web', taskDir, startedMsAgo: 40 * MINUTE_MS }]);
  const { api } = await world.start();
  const { data } = await api.event('auto.ended');
  expect(data).toMatchObject({ reason: 'timeout', iteration: 7 });
  expect(await api.events('&types=session.created')).toEqual([]);
  expect(agentsIn(taskDir)).toEqual([]);
});

it('LP71 a loop that cannot run on fails, and names what is missing and what to do', async () => {
  await using world = new World();
  const [gone, one, odd] = ['gone', 'one', 'odd'].map((name) => world.taskDir(name, WORKS));
  if (gone === undefined || one === undefined || odd === undefined) throw new Error('no directory');
  rmSync(gone, { recursive: true });
  const outside = join(world.root, 'outside');
  mkdirSync(outside);
  const startedMsAgo = MINUTE_MS;
  makeForeign(world, [
    { session: 'gone', taskDir: gone, startedMsAgo },
    { session: 'out', taskDir: outside, startedMsAgo },
    { session: 'alias', taskDir: `${one}/`, startedMsAgo },
    { session: 'one', taskDir: one, startedMsAgo },
    { session: 'no name', taskDir: odd, startedMsAgo },
  ]);
  const { api } = await world.start();
  const { loops } = (await api.get('/api/task-auto')).body as unknown as {
    loops: { session_name: string; status: string; stop_reason: string; error: string }[];
  };
  const failed = Object.fromEntries(
    loops
      .filter(({ status }) => status === 'failed')
      .map(({ session_name, stop_reason, error }) => [session_name, `${stop_reason}: ${error}`]),
  );
  expect(failed).toEqual({
    gone: expect.stringMatching(
      /^dir_gone: .* is missing; .*loopwatch loop restart gone$/,
    ) as string,
    out: expect.stringMatching(
      /^session_unknown: .*outside the roots .*; set that right/,
    ) as string,
    'no name': expect.stringMatching(/^session_unknown: .*no name for a session/) as string,
    alias: expect.stringMatching(/^session_unknown: .*session one already works on it/) as string,
  });
  const { body } = await api.get('/api/sessions');
  expect((body['sessions'] as { name: string }[]).map(({ name }) => name)).toEqual(['one']);
});

it('LP71 a loop whose agent still runs without a session starts no second one', async () => {
  await using world = new World();
  const first = await world.spawn();
  const taskDir = world.taskDir('web', WORKS);
  await first.api.openSession('web', taskDir);
  await first.api.startLoop('web', taskDir);
  const [pid] = await until('its agent', () => {
    const pids = agentsIn(taskDir);
    return pids.length === 0 ? null : pids;
  });
  await first.kill();
  writeDatabase(join(world.home, DATABASE_FILE), 'DELETE FROM sessions');
  const { api } = await world.start();
  const { status, error } = await api.loop('web');
  expect(status).toBe('failed');
  expect(error).toContain(`kill ${pid}`);
  expect(agentsIn(taskDir)).toEqual([pid]);
});

it('LP55 a stop file from before a loop of another database is removed, a later one stops it', async () => {
  await using world = new World();
  const [older, later] = ['older', 'later'].map((name) => world.taskDir(name, WORKS));
  if (older === undefined || later === undefined) throw new Error('no directory');
  const aside = join(world.root, 'aside');
  writeFileSync(aside, '{}');
  writeFileSync(join(older, STOP_FILE), '{}');
  const writtenMs = Date.now();
  await until('a later time', () => Date.now() > writtenMs + 20);
  makeForeign(world, [
    { session: 'older', taskDir: older, startedMsAgo: 0 },
    { session: 'later', taskDir: later, startedMsAgo: 0 },
  ]);
  const insertedMs = Date.now();
  await until('a later time', () => Date.now() > insertedMs + 20);
  // Written before, put there now.
  renameSync(aside, join(later, STOP_FILE));
  const { api } = await world.start();
  await until('the agent', () => agentsIn(older).length === 1);
  const { session, data } = await api.event('auto.ended');
  expect({ session, data }).toMatchObject({ session: 'later', data: { reason: 'user_stop' } });
  expect(agentsIn(later)).toEqual([]);
});
