/** The disk of a home that is full or read-only, its database locked or damaged, the home removed. */
import { once } from 'node:events';
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import Sqlite from 'better-sqlite3';
import { expect, it } from 'vitest';
import { DATABASE_FILE } from '../../../server/db/database.ts';
import { agentsIn } from '../../support/agents/agent-census.ts';
import type { ApiClient } from '../../support/daemon/api-client.ts';
import { putSignal, signalText, startSilentLoop } from '../../support/auto/signal-files.ts';
import { SmallDisk } from '../../support/drills/small-disk.ts';
import { AttachedStrace } from '../../support/terminals/attached-strace.ts';
import { until } from '../../support/house/until.ts';
import { World } from '../../support/daemon/world.ts';

const WRITES = ['pwrite64', 'fsync', 'fdatasync', 'ftruncate', 'openat', 'write'];

it('FA1, FA17 a full disk refuses writes with 507 and changes nothing; they succeed when it has space', async () => {
  await using world = new World();
  using disk = new SmallDisk(world.home, 2_048);
  const { api, process: child } = await world.spawn();
  const directory = await startSilentLoop(world, api, 'web');
  const agents = agentsIn(directory);

  disk.fill();
  const kept = await refused(api, 507, 'storage_full');
  const { head } = (await api.get('/api/status')).body as { head: number };
  expect((await api.loop('web')).max_iterations).toBe(kept);
  expect((await api.send('DELETE', '/api/sessions/web/task-auto')).status).toBe(507);
  expect((await api.send('POST', '/api/sessions', { name: 'b', cwd: directory })).status).toBe(507);
  putSignal(directory, signalText({ iteration: 3 }));
  for (let n = 0; n < 20; n += 1) {
    expect((await api.get('/healthz')).status).toBe(200);
    expect((await api.events()).length).toBe(head);
    expect((await api.loop('web')).status).toBe('running');
  }
  expect(agentsIn(directory)).toEqual(agents);

  disk.free();
  await until(
    'the signal written meanwhile is published',
    async () => (await api.loop('web')).iteration === 3,
  );
  expect((await api.send('DELETE', '/api/sessions/web/task-auto')).status).toBe(202);
  await api.event('auto.ended');
  const seqs = (await api.events()).map(({ seq }) => seq);
  expect(seqs).toEqual(seqs.map((_, index) => index + 1));
  expect(integrity(world)).toBe('ok');
  const exited = once(child, 'exit');
  child.kill('SIGTERM');
  expect(await exited).toEqual([0, null]);
});

it('FA1, FA18 a daemon on a full disk can be stopped, and the agent keeps running', async () => {
  await using world = new World();
  using disk = new SmallDisk(world.home, 2_048);
  const { api, process: child } = await world.spawn();
  const directory = await startSilentLoop(world, api, 'web');
  disk.fill();
  await refused(api, 507, 'storage_full');
  const exited = once(child, 'exit');
  child.kill('SIGTERM');
  const [code] = (await exited) as [number | null];
  expect(code).toBe(0);
  expect(agentsIn(directory)).toHaveLength(1);
  disk.fill();
  const second = await world.cli('start');
  expect({ code: second.code, stdout: second.stdout }).toEqual({ code: 74, stdout: '' });
  expect(second.stderr).toMatch(/is full|ENOSPC|SQLITE_FULL/);
  disk.free();
  const third = await world.spawn();
  expect((await third.api.loop('web')).status).toBe('running');
  expect(agentsIn(directory)).toHaveLength(1);
});

it('FA2 a read-only home is refused with 74 and the next step', async () => {
  await using world = new World();
  using disk = new SmallDisk(world.home, 4_096);
  const first = await world.spawn();
  const exited = once(first.process, 'exit');
  first.process.kill('SIGTERM');
  await exited;
  disk.makeReadOnly();
  const before = readFileSync(join(world.home, DATABASE_FILE));
  const { code, stdout, stderr } = await world.cli('start');
  expect({ code, stdout }).toEqual({ code: 74, stdout: '' });
  expect(stderr).toMatch(/LOOPWATCH_HOME.* is not writable.*set LOOPWATCH_HOME/);
  expect(readFileSync(join(world.home, DATABASE_FILE)).equals(before)).toBe(true);
});

it('FA19 a disk that turns read-only refuses writes with 503; sessions keep running', async () => {
  await using world = new World();
  const { api, process: child } = await world.spawn();
  const directory = await startSilentLoop(world, api, 'web');
  const agents = agentsIn(directory);
  const calls = WRITES.filter((call) => call !== 'openat' && call !== 'write');
  const strace = await AttachedStrace.attach(child.pid ?? 0, calls, `${calls.join()}:error=EROFS`);
  const kept = await refused(api, 503, 'storage_failed');
  expect((await api.loop('web')).max_iterations).toBe(kept);
  putSignal(directory, signalText({ iteration: 3 }));
  for (let n = 0; n < 20; n += 1) expect((await api.get('/healthz')).status).toBe(200);
  await strace.detach();
  await until(
    'the signal written meanwhile is published',
    async () => (await api.loop('web')).iteration === 3,
  );
  expect(agentsIn(directory)).toEqual(agents);
  expect(integrity(world)).toBe('ok');
});

it('FA3 a database held by another program is 503 with Retry-After, and no signal is lost', async () => {
  await using world = new World();
  const { api } = await world.spawn();
  const directory = await startSilentLoop(world, api, 'web');
  const other = new Sqlite(join(world.home, DATABASE_FILE));
  other.exec('BEGIN IMMEDIATE');
  const path = `${api.url}/api/sessions/web/task-auto`;
  const answer = await fetch(path, {
    method: 'PATCH',
    headers: { authorization: `Bearer ${api.token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ maxIterations: 25 }),
  });
  expect(answer.status).toBe(503);
  expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0);
  expect(((await answer.json()) as { error: object }).error).toMatchObject({
    code: 'storage_busy',
    retryable: true,
  });
  putSignal(directory, signalText({ iteration: 2 }));
  expect((await api.loop('web')).max_iterations).toBe(20);
  other.exec('ROLLBACK');
  other.close();
  await until('the signal is published', async () => (await api.loop('web')).iteration === 2);
  expect(
    (await api.send('PATCH', '/api/sessions/web/task-auto', { maxIterations: 25 })).status,
  ).toBe(200);
});

it('FA20 a daemon whose database is held exits with 74 and says so', async () => {
  await using world = new World();
  mkdirSync(world.home, { mode: 0o700 });
  const other = new Sqlite(join(world.home, DATABASE_FILE));
  other.exec('CREATE TABLE t (a); BEGIN EXCLUSIVE');
  const { code, stderr } = await world.cli('start');
  other.close();
  expect(code).toBe(74);
  expect(stderr).toMatch(/database .*is locked by another program/);
});

it.each(['removed', 'replaced'])(
  'FA4 a daemon whose home is %s exits with 74, sessions keep running',
  async (how) => {
    await using world = new World();
    const { api, process: child } = await world.spawn();
    const directory = await startSilentLoop(world, api, 'web');
    let said = '';
    child.stderr?.on('data', (data: Buffer) => (said += data.toString()));
    const exited = once(child, 'exit');
    if (how === 'removed') rmSync(world.home, { recursive: true });
    else {
      renameSync(world.home, `${world.home}-away`);
      mkdirSync(world.home, { mode: 0o700 });
    }
    const [code] = (await exited) as [number];
    expect({ code, agents: agentsIn(directory).length }).toEqual({ code: 74, agents: 1 });
    expect(said).toMatch(/LOOPWATCH_HOME was removed or replaced.*agents keep running/);
    expect(existsSync(world.home) ? readdirSync(world.home) : []).toEqual([]);
  },
);

/** Changes limits until that is refused as wanted; returns the last limit that was stored. */
async function refused(api: ApiClient, status: number, code: string): Promise<number> {
  let kept = 20;
  for (let limit = 100; limit < 600; limit += 1) {
    const path = '/api/sessions/web/task-auto';
    const answer = await api.send('PATCH', path, { maxIterations: limit });
    if (answer.status !== 200) {
      expect({ status: answer.status, ...answer.body.error }).toMatchObject({
        status,
        code,
        retryable: true,
      });
      return kept;
    }
    kept = limit;
  }
  throw new Error('every write was taken');
}

function integrity(world: World): unknown {
  const raw = new Sqlite(join(world.home, DATABASE_FILE), { readonly: true });
  const answer = raw.pragma('integrity_check', { simple: true });
  raw.close();
  return answer;
}
