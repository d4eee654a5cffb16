/** Whole loops of the stand-in in real terminals. */
import { existsSync, readdirSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { execFile } from '../../../server/lib/processes/exec-file.ts';
import { STOP_FILE } from '../../../shared/schema/loops/auto-signal.ts';
import { DEFAULT_SCENARIO } from '../../../stand-in/default-scenario.ts';
import type { ApiClient } from '../../support/daemon/api-client.ts';
import { typeInto } from '../../support/terminals/terminal-view.ts';
import { until } from '../../support/house/until.ts';
import { World } from '../../support/daemon/world.ts';

const PLAN = { step: 'plan', result: '(generated)', next: 'check', checkpoint: 'post-plan' };
const CHECK = { step: 'check', result: 'PASS', next: 'exec' };
const DONE = { step: 'exec', result: '(done)', next: 'check', checkpoint: 'post-exec' };
const ACCEPT = { step: 'check', result: 'ACCEPT', next: 'merge' };
const MERGE = { step: 'merge', result: 'success', next: 'report' };
const REPORT = { step: 'report', result: '(generated)', next: '(stop)' };
const step = (signal: object, work_ms = 30) => ({ do: 'step', work_ms, signal });
const LONG_WORK = step(CHECK, 600_000);

async function runLoop(world: World, scenario: object | undefined, limits: object = {}) {
  const { api } = await world.start();
  const taskDir = world.taskDir('one', scenario);
  await api.openSession('web', taskDir);
  const { status, body } = await api.startLoop('web', taskDir, limits);
  expect({ status, body }).toMatchObject({ status: 201, body: { status: 'running' } });
  return { api, taskDir };
}

async function story(api: ApiClient): Promise<string[]> {
  const events = await api.events('&types=auto.*');
  return events.map(({ type, data }) => {
    const word = 'step' in data ? data.step : 'reason' in data ? data.reason : '';
    return `${type.replace('auto.', '')} ${word}`.trim();
  });
}

function controlFiles(taskDir: string): string[] {
  return readdirSync(taskDir).filter((name) => name.startsWith('.auto-'));
}

it('LP8, LP14 a loop runs from draft to report and leaves nothing behind but its events', async () => {
  await using world = new World({ LOOPWATCH_STAND_IN_STEP_MS: '200' });
  const { api, taskDir } = await runLoop(world, undefined);
  const ended = await api.event('auto.ended');
  expect(ended.data).toMatchObject({ reason: 'completed', iteration: 8, task_dir: taskDir });
  const events = await story(api);
  expect([events[0], events.at(-2), events.at(-1)]).toEqual([
    'started',
    'signal report',
    'ended completed',
  ]);
  // On a slow machine the next signal may replace one before it is read; none comes twice or late.
  const signals = (await api.events('&types=auto.signal')).flatMap(({ type, data }) =>
    type === 'auto.signal' ? [data] : [],
  );
  const written = DEFAULT_SCENARIO.steps.flatMap((each) =>
    each.do === 'step' ? [each.signal.step] : [],
  );
  const iterations = signals.map(({ iteration }) => iteration);
  expect(iterations).toEqual([...new Set(iterations)].sort((a, b) => a - b));
  expect(signals.map((signal) => signal.step)).toEqual(iterations.map((n) => written[n - 1]));
  expect(iterations.length).toBeGreaterThan(1);
  expect(await api.loop('web')).toMatchObject({ status: 'stopped', task_dir: null });
  expect(controlFiles(taskDir)).toEqual([]);
});

it('LP8 an idle client is left open, by its own record', async () => {
  await using world = new World();
  const { api } = await runLoop(world, { status_record: true, steps: [step(REPORT)] });
  await api.event('auto.ended');
  const { body } = await api.get('/api/sessions/web/screen');
  expect((body['lines'] as string[]).join('\n')).toContain('❯');
  const again = await api.startLoop('web', world.taskDir('two', { steps: [step(REPORT)] }));
  // The open client is idle and gets only the slash command.
  expect(again.status).toBe(201);
});

it('LP40 an agent that obeys the stop file ends with user_stop', async () => {
  await using world = new World({ LOOPWATCH_STOP_GRACE_MS: '60000' });
  // More work than a slow machine needs to hear of the stop.
  const steps = Array.from({ length: 1_000 }, () => step(CHECK, 300));
  const { api, taskDir } = await runLoop(world, { after: 'exit', steps }, { maxIterations: 999 });
  const { status, body } = await api.send('DELETE', '/api/sessions/web/task-auto');
  const { seq } = await api.event('auto.stop_requested');
  expect({ status, body }).toEqual({ status: 202, body: { status: 'stopping', seq } });
  const ended = await api.event('auto.ended');
  expect(ended.data).toMatchObject({ reason: 'user_stop' });
  expect(controlFiles(taskDir)).toEqual([]);
});

it('LP40 an agent that ignores the stop file is interrupted, then its process is ended', async () => {
  await using world = new World();
  const { api, taskDir } = await runLoop(world, {
    steps: [{ do: 'deaf' }, step(PLAN), LONG_WORK],
  });
  await api.event('auto.signal');
  await api.send('DELETE', '/api/sessions/web/task-auto');
  await until('the stop file', () => existsSync(join(taskDir, STOP_FILE)));
  expect((await api.loop('web')).wait).toMatchObject({ reason: 'user_stop' });
  await api.event('auto.ended');
  expect(await story(api)).toEqual([
    'started',
    'signal plan',
    'stop_requested user_stop',
    'stop_escalated interrupt',
    'stop_escalated kill',
    'ended user_stop',
  ]);
});

it('LP39 the iteration limit stops the loop, and PATCH moves it', async () => {
  await using world = new World();
  const steps = Array.from({ length: 1_000 }, () => step(CHECK, 100));
  const { api } = await runLoop(world, { after: 'exit', steps }, { maxIterations: 999 });
  const { status, body } = await api.send('PATCH', '/api/sessions/web/task-auto', {
    maxIterations: 4,
  });
  expect({ status, body }).toMatchObject({ status: 200, body: { max_iterations: 4 } });
  const ended = await api.event('auto.ended');
  expect(ended.data).toMatchObject({ reason: 'max_iterations' });
});

it('LP9 a crashed agent is started again and continues', async () => {
  await using world = new World();
  const crash = { do: 'crash', signal: 'SIGKILL', times: 1 };
  const { api } = await runLoop(world, {
    after: 'exit',
    // The pause is over when its signal was seen: the next one replaces it.
    steps: [step(PLAN), crash, step(CHECK), { do: 'pause' }, step(REPORT)],
  });
  await until('its second signal', async () => (await story(api)).includes('signal check'));
  await typeInto(api, 'web', 'Go on.');
  const ended = await api.event('auto.ended');
  expect(ended.data).toMatchObject({ reason: 'completed', iteration: 3 });
  expect(await story(api)).toEqual([
    'started',
    'signal plan',
    'restart_scheduled crashed',
    'restarted',
    'signal check',
    'signal report',
    'ended completed',
  ]);
});

it('LP9, LP12, LP29 an agent that keeps crashing fails; the row stays until it is removed, also during a restart', async () => {
  await using world = new World();
  const { api } = await runLoop(world, { steps: [step(PLAN, 100), { do: 'crash', code: 1 }] });
  await api.event('auto.failed');
  const loop = await api.loop('web');
  expect(loop).toMatchObject({ status: 'failed', stop_reason: 'restart_limit', restart_count: 3 });
  const path = '/api/sessions/web/task-auto';
  const restart = api.send('POST', `${path}/restart`, {});
  const removed = await api.send('DELETE', path);
  expect((await restart).body).toMatchObject({ error: { code: 'no_loop' } });
  const { seq } = await api.event('auto.ended');
  expect(removed).toEqual({ status: 200, body: { status: 'stopped', seq } });
  expect((await api.loop('web')).status).toBe('stopped');
});

it('LP12 a new start replaces a failed loop', async () => {
  await using world = new World({ LOOPWATCH_RESTART_DELAYS_MS: '1' });
  const { api, taskDir } = await runLoop(world, { steps: [{ do: 'crash', code: 1 }] });
  await api.event('auto.failed');
  world.taskDir('one', { after: 'exit', steps: [step(REPORT)] });
  expect((await api.startLoop('web', taskDir)).status).toBe(201);
  expect((await api.event('auto.ended')).data).toMatchObject({ reason: 'completed' });
});

it('LP9 a final signal that is deleted at once is not a crash', async () => {
  await using world = new World();
  const { api } = await runLoop(world, {
    after: 'exit',
    remove_signal_at_end: true,
    steps: [step(PLAN), step(CHECK), step(DONE), step(ACCEPT), step(MERGE), step(REPORT)],
  });
  expect((await api.event('auto.ended')).data).toMatchObject({ reason: 'completed' });
});

it('LP11 closing the terminal by hand ends the loop without a restart', async () => {
  await using world = new World();
  const { api } = await runLoop(world, { steps: [LONG_WORK] });
  const [socket = ''] = world.sockets();
  await execFile('tmux', ['-S', socket, 'kill-session', '-t', 'main'], { timeoutMs: 60_000 });
  expect((await api.event('auto.ended')).data).toMatchObject({ reason: 'user_closed' });
  expect((await api.event('session.closed')).data).toEqual({ reason: 'user_closed' });
});

it('LP11 deleting the session ends its loop', async () => {
  await using world = new World();
  const { api } = await runLoop(world, { steps: [LONG_WORK] });
  expect((await api.send('DELETE', '/api/sessions/web')).status).toBe(202);
  expect(await story(api)).toEqual(['started', 'ended user_closed']);
  expect((await api.get('/api/sessions/web')).status).toBe(404);
});

it('LP13 a task directory that is moved away stops the loop, and the session stays', async () => {
  await using world = new World();
  const { api, taskDir } = await runLoop(world, { steps: [LONG_WORK] });
  renameSync(taskDir, `${taskDir}-moved`);
  expect((await api.event('auto.ended')).data).toMatchObject({ reason: 'dir_gone' });
  expect((await api.get('/api/sessions/web')).status).toBe(200);
});

it('SE6, LP9 a lost terminal server is opened again and the loop continues', async () => {
  await using world = new World();
  const steps = [step(PLAN), step(CHECK, 1_000), step(REPORT)];
  const { api } = await runLoop(world, { after: 'exit', steps });
  await api.event('auto.signal');
  const [socket = ''] = world.sockets();
  const format = ['display-message', '-p', '#{pid}'];
  const answer = await execFile('tmux', ['-S', socket, ...format], { timeoutMs: 60_000 });
  process.kill(Number(answer.ok ? answer.stdout : Number.NaN), 'SIGKILL');
  expect((await api.event('auto.ended')).data).toMatchObject({ reason: 'completed' });
  expect(await story(api)).toContain('restart_scheduled terminal_lost');
});

it('CL5 the demo runs in a session of its own', async () => {
  await using world = new World();
  const { api } = await world.start();
  expect(await api.send('POST', '/api/demo')).toMatchObject({
    status: 201,
    body: { session_name: 'demo', status: 'running' },
  });
  expect((await api.send('POST', '/api/demo')).body.error?.code).toBe('task_dir_busy');
  expect((await api.send('DELETE', '/api/sessions/demo/task-auto')).status).toBe(202);
  expect((await api.event('auto.ended')).data).toMatchObject({ reason: 'user_stop' });
  expect((await api.send('POST', '/api/demo')).status).toBe(201);
});
