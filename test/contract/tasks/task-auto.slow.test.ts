/** The life of a loop over REST: start, state, limits, stop, lookup. */
import { mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { Loop } from '../../../shared/schema/model.ts';
import type { ApiClient } from '../../support/daemon/api-client.ts';
import { refusal } from '../../support/daemon/refusal.ts';
import { World } from '../../support/daemon/world.ts';

const TIME = expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/) as string;
const PATH = '/api/sessions/web/task-auto';
const NO_LOOP = {
  ...Object.fromEntries(Object.keys(Loop.shape).map((key) => [key, null])),
  session_name: 'web',
  status: 'stopped',
  stop_evidence: [],
};
/** The evidence of a stop that a person requested. */
const ASKED = [{ witness: 'person', at: TIME, lines: ['requested by admin'] }];

/** A world whose agent stays in the foreground, with one session and one loop in it. */
async function withLoop(world: World, limits: object = {}) {
  world.writeProgram('claude', 'exec sleep 1000');
  const { api } = await world.start();
  const taskDir = world.taskDir('one');
  await api.openSession('web', taskDir);
  return { api, taskDir, started: await api.startLoop('web', taskDir, limits) };
}

async function withFailedLoop(world: World): Promise<ApiClient> {
  world.writeProgram('claude', 'sleep 0.1; exit 1');
  const { api } = await world.start();
  await api.openSession('web', world.taskDir('one'));
  await api.startLoop('web', world.taskDir('one'));
  await api.event('auto.failed');
  return api;
}

it('WI1 LP36 a start is answered 201 with its six keys, the limits it filled in and its seq', async () => {
  await using world = new World();
  const { api, taskDir, started } = await withLoop(world);
  const { seq } = await api.event('auto.started');
  expect(started).toEqual({
    status: 201,
    body: {
      session_name: 'web',
      task_dir: taskDir,
      status: 'running',
      started_at: TIME,
      max_iterations: 20,
      timeout_minutes: 30,
      seq,
    },
  });
});

it('LP36 a change of limits is answered with its seq', async () => {
  await using world = new World();
  const { api } = await withLoop(world);
  const { status, body } = await api.send('PATCH', PATH, { maxIterations: 5 });
  const { seq } = await api.event('auto.limits_changed');
  expect({ status, body }).toMatchObject({ status: 200, body: { max_iterations: 5, seq } });
});

it('WI1 a running loop is returned in full, the same alone and in the list', async () => {
  await using world = new World();
  const { api, taskDir } = await withLoop(world, { maxIterations: 7, timeoutMinutes: 9 });
  const { status, body } = await api.get(PATH);
  expect({ status, body }).toEqual({
    status: 200,
    body: {
      ...NO_LOOP,
      status: 'running',
      status_since: TIME,
      task_dir: taskDir,
      agent: 'claude',
      started_at: TIME,
      started_by: 'admin',
      iteration: 0,
      max_iterations: 7,
      timeout_minutes: 9,
      timeout_seconds: 540,
      elapsed_seconds: expect.any(Number) as number,
      quota_wait_seconds: 0,
      restart_count: 0,
      recovery_count_step: 0,
      recovery_count_total: 0,
    },
  });
  const { loops } = (await api.get('/api/task-auto')).body;
  const elapsed_seconds = expect.any(Number) as number;
  expect(loops).toEqual([{ ...body, elapsed_seconds }]);
  expect((await api.get('/api/sessions/web')).body['owner']).toBe('auto');
});

it('WI1 a session without a loop is "stopped" and nulls', async () => {
  await using world = new World();
  const { api } = await world.start();
  await api.openSession('web', world.taskDir('one'));
  expect(await api.get(PATH)).toEqual({ status: 200, body: NO_LOOP });
});

it('LP7 LP25 LP36 a repeated stop is 202 each time, and one event', async () => {
  await using world = new World({ LOOPWATCH_STOP_GRACE_MS: '60000' });
  const { api } = await withLoop(world);
  const answers = [await api.send('DELETE', PATH), await api.send('DELETE', PATH)];
  expect((await api.loop('web')).wait).toEqual({
    reason: 'user_stop',
    since: TIME,
    until: TIME,
    next: expect.stringMatching(/./) as string,
    evidence: ASKED,
  });
  const requested = await api.events('&types=auto.stop_requested');
  const seq = requested[0]?.seq ?? NaN;
  expect(answers).toMatchObject(answers.map(() => ({ status: 202, body: { status: 'stopping' } })));
  const [first = NaN, again = NaN] = answers.map(({ body }) => Number(body['seq']));
  expect(first).toBe(seq);
  expect(again).toBeGreaterThanOrEqual(seq);
  expect(requested.map(({ data }) => data)).toEqual([
    { reason: 'user_stop', by: 'person', author: 'admin', evidence: ASKED },
  ]);
});

it('WI1 a stop without a loop is 404, before the first loop and after the last', async () => {
  await using world = new World({ LOOPWATCH_STOP_GRACE_MS: '1', LOOPWATCH_KILL_GRACE_MS: '1000' });
  const { api } = await withLoop(world);
  await api.openSession('idle', world.taskDir('two'));
  const before = refusal(await api.send('DELETE', '/api/sessions/idle/task-auto'));
  await api.send('DELETE', PATH);
  await api.event('auto.ended');
  const after = refusal(await api.send('DELETE', PATH));
  expect({ before, after, state: await api.get(PATH) }).toEqual({
    before: '404 no_loop',
    after: '404 no_loop',
    state: { status: 200, body: NO_LOOP },
  });
});

it('LP12 a stop of a failed loop is 200 and removes it', async () => {
  await using world = new World({ LOOPWATCH_RESTART_DELAYS_MS: '1' });
  const api = await withFailedLoop(world);
  const failed = await api.loop('web');
  expect(failed).toMatchObject({ status: 'failed', stop_reason: 'restart_limit', wait: null });
  const removed = await api.send('DELETE', PATH);
  const { seq } = await api.event('auto.ended');
  expect(removed).toEqual({ status: 200, body: { status: 'stopped', seq } });
  expect(refusal(await api.send('DELETE', PATH))).toBe('404 no_loop');
  expect((await api.get('/api/task-auto')).body).toEqual({ loops: [] });
});

it('WI1 new limits take effect at once and are returned in full', async () => {
  await using world = new World();
  const { api } = await withLoop(world);
  const changed = [
    await api.send('PATCH', PATH, { maxIterations: 40 }),
    await api.send('PATCH', PATH, { timeoutMinutes: 60 }),
    await api.send('PATCH', PATH, { maxIterations: 1000, timeoutMinutes: 10_080 }),
  ].map(({ status, body }) => [status, body['max_iterations'], body['timeout_minutes']]);
  expect(changed).toEqual([
    [200, 40, 30],
    [200, 40, 60],
    [200, 1000, 10_080],
  ]);
  const events = await api.events('&types=auto.limits_changed');
  expect(events.map(({ data }) => data)).toEqual([
    { max_iterations: 40, timeout_minutes: 30, author: 'admin' },
    { max_iterations: 40, timeout_minutes: 60, author: 'admin' },
    { max_iterations: 1000, timeout_minutes: 10_080, author: 'admin' },
  ]);
});

it('WI1 limits out of range are 400, at a start and for a running loop', async () => {
  await using world = new World();
  const { api, taskDir } = await withLoop(world);
  const wrong = [0, -1, 1.5, '5', null, true].flatMap((value) => [
    { maxIterations: value },
    { timeoutMinutes: value },
  ]);
  const refusals = [];
  for (const limits of [...wrong, { maxIterations: 1001 }, { timeoutMinutes: 10_081 }]) {
    refusals.push(refusal(await api.send('PATCH', PATH, limits)));
    refusals.push(refusal(await api.startLoop('web', taskDir, limits)));
  }
  refusals.push(refusal(await api.send('PATCH', PATH, {})));
  expect(refusals).toEqual(refusals.map(() => '400 invalid_body'));
});

it('WI1 limits without a loop are 404, on a failed one 409', async () => {
  await using world = new World({ LOOPWATCH_RESTART_DELAYS_MS: '1' });
  const api = await withFailedLoop(world);
  await api.openSession('idle', world.taskDir('two'));
  const limits = { maxIterations: 5 };
  expect([
    refusal(await api.send('PATCH', '/api/sessions/idle/task-auto', limits)),
    refusal(await api.send('PATCH', PATH, limits)),
  ]).toEqual(['404 no_loop', '409 loop_not_running']);
});

it('WI1 lookup finds the loop of a directory by any path to it', async () => {
  await using world = new World();
  const { api, taskDir } = await withLoop(world);
  symlinkSync(taskDir, join(world.root, 'user', 'link'));
  const paths = [taskDir, `${taskDir}/`, `${taskDir}/../one`, join(world.root, 'user', 'link')];
  const answers = [];
  for (const path of paths) {
    answers.push(await api.get(`/api/task-auto/lookup?taskDir=${encodeURIComponent(path)}`));
  }
  const found = { status: 200, body: { session_name: 'web', status: 'running' } };
  expect(answers).toEqual(paths.map(() => found));
});

it('WI16 lookup finds the loop of a directory relative to a project', async () => {
  await using world = new World();
  const { api, taskDir } = await withLoop(world);
  const found = { status: 200, body: { session_name: 'web', status: 'running' } };
  const tasks = join(world.root, 'tasks');
  const queries = [
    ['one', tasks],
    ['./one/', `${tasks}/`],
    ['tasks/one', world.root],
    ['../one', taskDir],
    ['.', taskDir],
    [taskDir, '/elsewhere'],
  ];
  for (const [dir = '', project = ''] of queries) {
    const query = new URLSearchParams({ taskDir: dir, project }).toString();
    expect(await api.get(`/api/task-auto/lookup?${query}`)).toEqual(found);
  }
  const spoken = [
    await world.cli('loop', 'lookup', 'tasks/one'),
    await world.cli('loop', 'lookup', 'one', '--project', 'tasks'),
    await world.cli('loop', 'lookup', 'one', '--project', tasks),
    await world.cli('loop', 'lookup', taskDir),
  ];
  expect(spoken.map(({ stdout }) => stdout)).toEqual(spoken.map(() => 'web running\n'));
});

it('WI1, WI16 lookup answers 400 without an absolute path', async () => {
  await using world = new World();
  const { api } = await world.start();
  const refusals = [];
  for (const query of ['', '?taskDir=', '?taskDir=one', '?taskDir=./one', '?taskDir=~/one']) {
    refusals.push(refusal(await api.get(`/api/task-auto/lookup${query}`)));
  }
  for (const project of ['', 'tasks', './tasks', '~']) {
    refusals.push(refusal(await api.get(`/api/task-auto/lookup?taskDir=one&project=${project}`)));
  }
  refusals.push(refusal(await api.get(`/api/task-auto/lookup?taskDir=/${'x'.repeat(1024)}`)));
  expect(refusals).toEqual(refusals.map(() => '400 invalid_query'));
});

it('WI1 lookup reveals nothing about paths: every other answer is the same', async () => {
  await using world = new World();
  const { api, taskDir } = await withLoop(world);
  mkdirSync(join(taskDir, 'inner'));
  const paths = [
    world.taskDir('two'),
    join(taskDir, 'inner'),
    join(world.root, 'missing'),
    join(world.root, 'user'),
    '/',
    '/etc/passwd',
    '/root',
    '/nul\0',
    `${taskDir}/$(touch p)`,
  ];
  const refusals = new Set<string>();
  for (const path of paths) {
    const answer = await api.get(`/api/task-auto/lookup?taskDir=${encodeURIComponent(path)}`);
    refusals.add(`${refusal(answer)} ${JSON.stringify(answer.body)}`);
  }
  expect([...refusals]).toEqual([expect.stringMatching(/^404 no_loop /)]);
});
