/** A restored database meets a world that has moved on: terminals, agents, loops, input, cursors. */
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { execFile } from '../../../server/lib/processes/exec-file.ts';
import { readProcess } from '../../../server/lib/processes/process-identity.ts';
import { agentsIn } from '../../support/agents/agent-census.ts';
import type { ApiClient } from '../../support/daemon/api-client.ts';
import { holdInput } from '../../support/terminals/hold-input.ts';
import { until } from '../../support/house/until.ts';
import { type SpawnedDaemon, World } from '../../support/daemon/world.ts';
import { WsClient } from '../../support/transport/ws-client.ts';

const PLAN = { step: 'plan', result: '(generated)', next: 'check' };
const PASS = { step: 'check', result: 'PASS', next: 'exec' };
const EXEC = { step: 'exec', result: '(mid-exec)', next: 'check' };
const WAITS = { after: 'exit', steps: [work(20, PLAN), work(600_000, PASS)] };

it('KE10, KE11, KE12 a loop whose agent still works is adopted as the backup had it, once', async () => {
  await using world = new World();
  const directory = world.taskDir('web', {
    after: 'exit',
    steps: [work(20, PLAN), work(1_500, PASS), work(20, EXEC), work(600_000, PASS)],
  });
  const first = await world.spawn();
  await startLoop(first.api, 'web', directory);
  await first.api.event('auto.signal');
  const file = await backup(world);
  const before = await first.api.get('/api/status');
  const cursor = `${String(before.body['epoch'])}:${String(before.body['head'])}`;
  await until('it went on', async () => (await first.api.loop('web')).step === 'exec');
  const [agent] = agentsIn(directory);
  await stop(first);
  await restore(world, file);
  const { api } = await world.spawn();
  expect(await api.loop('web')).toMatchObject({ status: 'running', restart_count: 0 });
  // The agent's later reports are read again from its signal: the loop is at its present step.
  await until('the newest signal', async () => (await api.loop('web')).step === 'exec');
  expect(agentsIn(directory)).toEqual([agent]);
  const types = (
    await api.events('&types=auto.started,auto.restart_scheduled,session.created')
  ).map(({ type }) => type);
  expect(types).toEqual(['session.created', 'auto.started']);
  expect(await resetOf(api, cursor)).toBe('epoch');
});

it('KE11 terminals the backup does not know become sessions, and their programs keep running', async () => {
  await using world = new World();
  const first = await world.spawn();
  await first.api.openSession('known', world.taskDir('known'));
  const file = await backup(world);
  const directory = world.taskDir("l'ater\n x", WAITS);
  await first.api.openSession('later', world.taskDir("l'ater\n x"));
  await first.api.openSession('worker', world.taskDir('worker', WAITS));
  expect((await first.api.startLoop('worker', world.taskDir('worker'))).status).toBe(201);
  await first.api.event('auto.signal');
  const pids = agentsIn(world.taskDir('worker'));
  // The same name, but by now a different terminal.
  await first.api.send('DELETE', '/api/sessions/known');
  await first.api.event('session.closed');
  await first.api.openSession('known', world.taskDir('known'));
  await stop(first);
  await restore(world, file);
  const { api } = await world.spawn();
  const { sessions } = (await api.get('/api/sessions')).body as {
    sessions: Record<string, unknown>[];
  };
  expect(sessions).toMatchObject([
    { name: 'known', status: 'open', owner: null, cwd: world.taskDir('known') },
    { name: 'later', status: 'open', owner: null, cwd: directory },
    { name: 'worker', status: 'open', owner: null, cwd: world.taskDir('worker') },
  ]);
  const published = await api.events('&types=session.created,session.closed');
  expect(published.slice(1)).toMatchObject(
    ['known', 'later', 'worker'].map((session) => ({ session, data: { reopened: true } })),
  );
  expect((await api.get('/api/sessions/known/screen')).status).toBe(200);
  expect(agentsIn(world.taskDir('worker'))).toEqual(pids);
  expect((await api.get('/api/task-auto')).body).toEqual({ loops: [] });
});

/** A loop that ended after its backup, and another session at work on its directory since. */
async function backedUpAndTakenOver(world: World) {
  const directory = world.taskDir('web', WAITS);
  const first = await world.spawn();
  await startLoop(first.api, 'web', directory);
  await first.api.event('auto.signal');
  const file = await backup(world);
  await first.api.send('DELETE', '/api/sessions/web/task-auto');
  await first.api.event('auto.ended');
  await first.api.openSession('other', directory);
  const text = { text: 'sleep 1000', submit: true };
  await first.api.send('POST', '/api/sessions/other/input', text);
  await until('an agent works there', () =>
    agentsIn(directory).some((pid) => readProcess(pid)?.name === 'sleep'),
  );
  const before = agentsIn(directory);
  await stop(first);
  return { file, directory, before };
}

it('KE12 a loop that ended since the backup is not started again', async () => {
  await using world = new World();
  const { file, directory, before } = await backedUpAndTakenOver(world);
  await restore(world, file);
  // Restored again before any start: the known state is not forgotten.
  await restore(world, file);
  const { api } = await world.spawn();
  expect(await api.loop('web')).toMatchObject({ status: 'failed', stop_reason: 'restored' });
  const { sessions } = (await api.get('/api/sessions')).body as { sessions: { name: string }[] };
  expect(sessions.map(({ name }) => name)).toEqual(['other', 'web']);
  expect((await api.events('&types=auto.restart_scheduled,auto.restarted')).length).toBe(0);
  expect(agentsIn(directory).filter((pid) => !before.includes(pid))).toEqual([]);
});

it('KE12 without the replaced database, a loop is not started next to an unknown terminal', async () => {
  await using world = new World();
  const { file, directory, before } = await backedUpAndTakenOver(world);
  rmSync(join(world.home, 'loopwatch.db'));
  await restore(world, file);
  const { api } = await world.spawn();
  expect(await api.loop('web')).toMatchObject({ status: 'failed', stop_reason: 'restored' });
  expect(agentsIn(directory).filter((pid) => !before.includes(pid))).toEqual([]);
});

it('KE12 RC2 a loop whose terminals ended is started again as after any other end, once', async () => {
  await using world = new World();
  const directory = world.taskDir('web', WAITS);
  const first = await world.spawn();
  await startLoop(first.api, 'web', directory);
  await first.api.event('auto.signal');
  const file = await backup(world);
  await stop(first);
  // The machine went down.
  for (const socket of world.sockets()) {
    await execFile('tmux', ['-S', socket, 'kill-server'], { timeoutMs: 60_000 });
  }
  await until('the agent is gone', () => agentsIn(directory).length === 0);
  await restore(world, file);
  const { api } = await world.spawn();
  const restarted = await api.event('auto.restart_scheduled');
  expect(restarted.data).toMatchObject({ reason: 'terminal_lost', restart_count: 1 });
  await api.event('auto.restarted');
  await until('one agent', () => agentsIn(directory).length === 1);
});

it('KE12 an agent that was started again since the backup is adopted, not doubled', async () => {
  await using world = new World();
  const directory = world.taskDir('web', WAITS);
  const first = await world.spawn();
  await startLoop(first.api, 'web', directory);
  await first.api.event('auto.signal');
  const file = await backup(world);
  process.kill(agentsIn(directory)[0] ?? 0, 'SIGKILL');
  await first.api.event('auto.restarted');
  await until('one agent', () => agentsIn(directory).length === 1);
  const [agent] = agentsIn(directory);
  await stop(first);
  await restore(world, file);
  const { api } = await world.spawn();
  expect(await api.loop('web')).toMatchObject({ status: 'running', restart_count: 0 });
  // Time for several polls.
  const polled = await api.events();
  await api.openSession('clock', directory);
  await until('a later event', async () => (await api.events()).length > polled.length);
  expect(agentsIn(directory)).toEqual([agent]);
  expect(await api.events('&types=auto.restart_scheduled,auto.failed')).toEqual([]);
});

it('KE13 input that waited in the backup is never typed', async () => {
  await using world = new World();
  const first = await world.spawn();
  const { session, id } = await holdInput(world, first.api);
  const file = await backup(world);
  await stop(first);
  await restore(world, file);
  const { api } = await world.spawn();
  const { inputs } = (await api.get(`/api/sessions/${session}/inputs`)).body as {
    inputs: Record<string, unknown>[];
  };
  expect(inputs.find((input) => input['id'] === id)).toMatchObject({
    delivery: 'unknown',
    reason: 'restored',
  });
});

function work(work_ms: number, signal: object): object {
  return { do: 'step', work_ms, signal };
}

async function startLoop(api: ApiClient, name: string, directory: string): Promise<void> {
  await api.openSession(name, directory);
  expect((await api.startLoop(name, directory)).status).toBe(201);
}

async function backup(world: World): Promise<string> {
  const file = join(world.root, 'backup.db');
  expect(await world.cli('backup', file)).toMatchObject({ code: 0, stderr: '' });
  return file;
}

async function restore(world: World, file: string): Promise<void> {
  expect(await world.cli('restore', file)).toMatchObject({ code: 0, stderr: '' });
}

async function stop({ process: child }: SpawnedDaemon): Promise<void> {
  child.kill('SIGTERM');
  await until('the daemon ended', () => child.exitCode !== null);
}

/** Resumes at a cursor; returns why that was refused. */
async function resetOf(api: ApiClient, cursor: string): Promise<string | undefined> {
  await using client = await WsClient.connect(api);
  const [epoch, after] = cursor.split(':');
  client.send({ type: 'subscribe', id: 1, types: ['*'], after: Number(after), epoch });
  return (await client.next('reset')).reason;
}
