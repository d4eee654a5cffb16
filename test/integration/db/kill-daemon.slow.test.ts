/** Single moments at which a daemon, a terminal or an agent dies; `kill-drill.test.ts` uses random ones. */
import { existsSync, unlinkSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { STOP_FILE } from '../../../shared/schema/loops/auto-signal.ts';
import type { EventRecord } from '../../../shared/schema/events/events.ts';
import type { Loop } from '../../../shared/schema/model.ts';
import { execFile } from '../../../server/lib/processes/exec-file.ts';
import { agentsIn } from '../../support/agents/agent-census.ts';
import type { ApiClient } from '../../support/daemon/api-client.ts';
import { putSignal, signalText } from '../../support/auto/signal-files.ts';
import { until } from '../../support/house/until.ts';
import { World } from '../../support/daemon/world.ts';

const PLAN = { step: 'plan', result: '(generated)', next: 'check' };
const PASS = { step: 'check', result: 'PASS', next: 'exec' };
const REPORT = { step: 'report', result: '(generated)', next: '(stop)' };
const WAITS = { after: 'exit', steps: [work(20, PLAN), work(600_000, PASS)] };
const COMPLETES = { after: 'exit', steps: [work(20, PLAN), work(20, PASS), work(20, REPORT)] };

it('RC3 a stop acknowledged before a kill is carried out, its file written again', async () => {
  await using world = new World({ LOOPWATCH_STOP_GRACE_MS: '60000' });
  // More work than the two starts of a daemon take, in steps short enough to notice the stop file.
  const steps = [work(20, PASS), ...Array.from({ length: 1_000 }, () => work(1_000, PASS))];
  const directory = world.taskDir('web', { after: 'exit', steps });
  const first = await world.spawn();
  await startLoop(first.api, 'web', directory);
  await first.api.event('auto.signal');
  expect((await first.api.send('DELETE', '/api/sessions/web/task-auto')).status).toBe(202);
  await until('the stop file', () => existsSync(join(directory, STOP_FILE)));
  unlinkSync(join(directory, STOP_FILE));
  await first.kill();
  expect(existsSync(join(directory, STOP_FILE))).toBe(false);
  const { api } = await world.spawn();
  await api.event('auto.ended');
  const stops = (await autoEvents(api)).filter(({ type }) => type !== 'auto.signal');
  expect(stops).toMatchObject([
    { type: 'auto.started' },
    { type: 'auto.stop_requested', data: { reason: 'user_stop', by: 'person' } },
    { type: 'auto.ended', data: { reason: 'user_stop', restart_count: 0 } },
  ]);
  await until('the agent has ended', () => agentsIn(directory).length === 0);
});

it('RC2 a kill during a start leaves one start', async () => {
  await using world = new World();
  const directory = world.taskDir('web', WAITS);
  const first = await world.spawn();
  await first.api.openSession('web', directory);
  const started = first.api.startLoop('web', directory).catch(() => null);
  await first.api.event('auto.started');
  await first.kill();
  await started;
  const { api } = await world.spawn();
  await until('the loop runs', async () => (await api.loop('web')).step === 'plan');
  expect((await autoEvents(api)).map(({ type }) => type)).toEqual(['auto.started', 'auto.signal']);
  expect(agentsIn(directory)).toHaveLength(1);
});

it('RC2 a kill while a restart waits makes it neither earlier nor double', async () => {
  await using world = new World({ LOOPWATCH_RESTART_DELAYS_MS: '4000' });
  const crash = { do: 'crash', signal: 'SIGKILL', times: 1 };
  const directory = world.taskDir('web', {
    after: 'exit',
    steps: [work(20, PLAN), crash, work(600_000, PASS)],
  });
  const first = await world.spawn();
  await startLoop(first.api, 'web', directory);
  const scheduled = await first.api.event('auto.restart_scheduled');
  await first.kill();
  const { api } = await world.spawn();
  const restarted = await api.event('auto.restarted');
  expect(Date.parse(restarted.at) - Date.parse(scheduled.at)).toBeGreaterThanOrEqual(3_990);
  expect((await autoEvents(api)).map(({ type }) => type)).toEqual([
    'auto.started',
    'auto.signal',
    'auto.restart_scheduled',
    'auto.restarted',
  ]);
  expect(agentsIn(directory)).toHaveLength(1);
});

it('SE6 LP9 a loop whose tmux server is killed continues in a reopened terminal', async () => {
  await using world = new World();
  const directory = world.taskDir('web', WAITS);
  const { api } = await world.start();
  await startLoop(api, 'web', directory);
  await api.event('auto.signal');
  const [socket = ''] = world.sockets();
  const pid = await execFile('tmux', ['-S', socket, 'display-message', '-p', '#{pid}'], {
    timeoutMs: 60_000,
  });
  process.kill(Number(pid.ok ? pid.stdout : 0), 'SIGKILL');
  await api.event('auto.restarted');
  const kept = (await api.events('&types=session.created,auto.restart_scheduled')).slice(1);
  expect(kept).toMatchObject([
    { type: 'auto.restart_scheduled', data: { reason: 'terminal_lost', restart_count: 1 } },
    { type: 'session.created', data: { reopened: true } },
  ]);
  await until('one agent runs', () => agentsIn(directory).length === 1);
});

it('LP9 an agent killed with SIGKILL is started again', async () => {
  await using world = new World();
  const directory = world.taskDir('web', WAITS);
  const { api } = await world.start();
  await startLoop(api, 'web', directory);
  await api.event('auto.signal');
  const [pid = 0] = agentsIn(directory);
  process.kill(pid, 'SIGKILL');
  await api.event('auto.restarted');
  await until('another agent runs', () => agentsIn(directory).some((other) => other !== pid));
  expect(await api.loop('web')).toMatchObject({ status: 'running', restart_count: 1 });
});

it('LP9 LP12 an agent that crashes at every start fails after three restarts, its row kept', async () => {
  await using world = new World();
  // Long enough in the foreground to be seen, however busy the machine is.
  const directory = world.taskDir('web', {
    steps: [
      { do: 'silence', ms: 300 },
      { do: 'exit', code: 1 },
    ],
  });
  const { api } = await world.start();
  await startLoop(api, 'web', directory);
  await api.event('auto.failed');
  const events = await autoEvents(api);
  expect(events.filter(({ type }) => type === 'auto.restart_scheduled')).toMatchObject(
    [1, 2, 3].map((restart_count) => ({ data: { reason: 'crashed', restart_count } })),
  );
  expect(events.at(-1)).toMatchObject({ data: { reason: 'restart_limit', restart_count: 3 } });
  expect(await api.loop('web')).toMatchObject({ status: 'failed', stop_reason: 'restart_limit' });
});

it('RC1 changes while no daemon ran are published by the next one', async () => {
  await using world = new World();
  const steps = [work(20, PLAN), { do: 'silence', ms: 700 }, work(20, REPORT)];
  const directory = world.taskDir('web', { after: 'exit', steps });
  const first = await world.spawn();
  await startLoop(first.api, 'web', directory);
  await first.api.event('auto.signal');
  await first.kill();
  await until('the agent has ended', () => agentsIn(directory).length === 0);
  const { api } = await world.spawn();
  await api.event('auto.ended');
  expect((await autoEvents(api)).slice(-2)).toMatchObject([
    { type: 'auto.signal', data: { step: 'report', next: '(stop)' } },
    { type: 'auto.ended', data: { reason: 'completed' } },
  ]);
});

it('WI7 SIGTERM ends the daemon while a start is being resumed', async () => {
  await using world = new World({ LOOPWATCH_START_TIMEOUT_MS: '20000' });
  const directory = world.taskDir('web', COMPLETES);
  // Waits without a foreground program: a shell function is the shell itself.
  world.writeProgram('claude', 'exit 0');
  const first = await world.spawn();
  await first.api.openSession('web', directory);
  const started = first.api.startLoop('web', directory).catch(() => null);
  await first.api.event('auto.started');
  await until('it was typed', async () => {
    const { body } = await first.api.get('/api/sessions/web/screen');
    return JSON.stringify(body).includes('moonview:auto');
  });
  await first.kill();
  await started;
  const second = await world.spawn();
  expect((await second.api.get('/healthz')).status).toBe(200);
  const ended = new Promise((resolve) => second.process.once('exit', resolve));
  second.process.kill('SIGTERM');
  expect(await ended).toBe(0);
});

it('RC4, RC6 one start of the daemon recovers fifty loops, and each sees what happened meanwhile', async () => {
  // On a slow machine an agent that only waits would seem stalled before the last one has started.
  await using world = new World({ LOOPWATCH_STALL_CAPTURES: '1000' });
  world.writeProgram('claude', 'exec sleep 100000');
  const first = await world.spawn();
  const names = Array.from({ length: 50 }, (_, n) => `s${n}`);
  for (const name of names) await startLoop(first.api, name, world.taskDir(name));
  await first.kill();
  for (const name of names)
    putSignal(join(world.root, 'tasks', name), signalText({ iteration: 9 }));
  const { api } = await world.spawn();
  expect((await api.get('/healthz')).status).toBe(200);
  // A loop is armed once it has processed what came while no daemon ran.
  const { loops } = await until('all loops are armed', async () => {
    const body = (await api.get('/api/task-auto')).body as unknown as { loops: Loop[] };
    return body.loops.every(({ iteration }) => iteration === 9) ? body : null;
  });
  expect(loops.map(({ status }) => status)).toEqual(names.map(() => 'running'));
  // Each continued where it was: no agent was restarted, none was killed.
  const types = (await api.events('&types=auto.*')).map(({ type }) => type);
  expect(new Set(types)).toEqual(new Set(['auto.started', 'auto.signal']));
  expect(types).toHaveLength(2 * names.length);
});

function work(work_ms: number, signal: object): object {
  return { do: 'step', work_ms, signal };
}

async function startLoop(api: ApiClient, name: string, directory: string): Promise<void> {
  await api.openSession(name, directory);
  const { status, body } = await api.startLoop(name, directory);
  expect({ status, body }).toMatchObject({ status: 201 });
}

async function autoEvents(api: ApiClient): Promise<EventRecord[]> {
  return api.events('&types=auto.*');
}
