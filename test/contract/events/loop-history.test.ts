/** Past loops and the restart of a failed one, over REST. */
import { expect, it } from 'vitest';
import type { EventLog } from '../../../server/events/event-log.ts';
import { LoopHistoryReader } from '../../../server/auto/loop-history.ts';
import type { EventDraft } from '../../../shared/schema/events/events.ts';
import type { HistoryPage, PastLoop } from '../../../shared/schema/loops/past-loop.ts';
import type { ApiClient } from '../../support/daemon/api-client.ts';
import { EventHome } from '../../support/events/event-home.ts';
import { refusal } from '../../support/daemon/refusal.ts';
import { until } from '../../support/house/until.ts';
import { World } from '../../support/daemon/world.ts';

const CHECK = { step: 'check', result: 'PASS', next: 'exec' };
const REPORT = { step: 'report', result: '(generated)', next: '(stop)' };
const step = (signal: object, work_ms = 300) => ({ do: 'step', work_ms, signal });
const CRASH = { do: 'crash', code: 1 };

async function runs(api: ApiClient, query = ''): Promise<PastLoop[]> {
  const { status, body } = await api.get(`/api/task-auto/history${query}`);
  expect({ status, body }).toMatchObject({ status: 200 });
  return body['runs'] as PastLoop[];
}

async function startLoop(world: World, api: ApiClient, name: string, steps: object[]) {
  const directory = world.taskDir(name, { after: 'exit', steps });
  await api.openSession(name, directory);
  const { status, body } = await api.startLoop(name, directory, { timeoutMinutes: 9 });
  expect({ name, status, body }).toMatchObject({ status: 201 });
}

it('LP26 past and current loops are listed newest first, of one session or of all', async () => {
  await using world = new World({ LOOPWATCH_RESTART_DELAYS_MS: '1' });
  const { api } = await world.start();
  expect(await runs(api)).toEqual([]);
  await startLoop(world, api, 'done', [step(CHECK), step(REPORT)]);
  await api.event('auto.ended');
  await startLoop(world, api, 'broken', [step(CHECK), CRASH]);
  await api.event('auto.failed');
  await startLoop(world, api, 'live', [step(CHECK, 600_000)]);
  const all = await runs(api);
  expect(all.map(({ session, outcome, reason }) => [session, outcome, reason])).toEqual([
    ['live', null, null],
    ['broken', 'failed', 'restart_limit'],
    ['done', 'ended', 'completed'],
  ]);
  expect(all[1]).toMatchObject({ task_dir: world.taskDir('broken'), agent: 'claude' });
  expect(all[1]).toMatchObject({ restart_count: 1, complete: true, iterations: 1 });
  expect(all[1]?.evidence.map(({ witness }) => witness)).toContain('process');
  const [only] = await runs(api, '?session=done');
  expect(only).toEqual(all[2]);
  const length = (Date.parse(only?.ended_at ?? '') - Date.parse(only?.started_at ?? '')) / 1000;
  const total = Object.values(only?.seconds ?? {}).reduce((sum, part) => sum + part, 0);
  expect(total).toBeCloseTo(length, 6);
  expect(await runs(api, '?limit=2')).toMatchObject([{ session: 'live' }, { session: 'broken' }]);
  expect(await runs(api, '?session=nobody')).toEqual([]);
});

it('LP26 a history request with invalid parameters is 400', async () => {
  await using world = new World();
  const { api } = await world.start();
  const refusals = [];
  for (const query of ['limit=0', 'limit=201', 'limit=x', 'session=', 'session=a%2Fb', 'after=0']) {
    refusals.push(refusal(await api.get(`/api/task-auto/history?${query}`)));
  }
  expect(refusals).toEqual(refusals.map(() => '400 invalid_query'));
});

const limits: EventDraft['data'] = { max_iterations: 1, timeout_minutes: 1 };

/** A log with `count` loops per session, each with more events than one page holds. */
function fillRuns(home: EventHome, sessions: readonly string[], count: number) {
  const { log } = home.open();
  for (let run = 0; run < count; run += 1) {
    for (const session of sessions) {
      home.clock.advance(1_000);
      const data = { run_id: `${session}${run}`, task_dir: '/t', agent: 'claude', ...limits };
      log.write((append) => {
        append({ type: 'auto.started', session, data } as EventDraft);
        for (let n = 0; n < 700; n += 1) {
          append({ type: 'auto.limits_changed', session, data: limits } as EventDraft);
        }
      });
    }
  }
  return { log, history: new LoopHistoryReader(log, home.clock) };
}

const ids = ({ runs }: HistoryPage) => runs.map(({ run_id }) => run_id);

it('LP51 loops longer than a page are found and cut at the limit, over all sessions', async () => {
  using home = new EventHome();
  const { history } = fillRuns(home, ['a', 'b'], 3);
  expect(ids(await history.read({ limit: 3 }))).toEqual(['b2', 'a2', 'b1']);
  expect(ids(await history.read({ session: 'a', limit: 2 }))).toEqual(['a2', 'a1']);
  expect(ids(await history.read({ limit: 20 }))).toEqual(['b2', 'a2', 'b1', 'a1', 'b0', 'a0']);
});

it('LP51 only the requested loops are read, a page at a time', async () => {
  using home = new EventHome();
  const { log } = fillRuns(home, ['a', 'b'], 3);
  const read: number[] = [];
  const watched = {
    sessions: () => log.sessions(),
    typesBefore: log.typesBefore.bind(log),
    readAmong: (...[among, after, limit]: Parameters<EventLog['readAmong']>) => {
      const page = log.readAmong(among, after, limit);
      read.push(page.length);
      return page;
    },
  };
  const newest = new LoopHistoryReader(watched, home.clock);
  expect(ids(await newest.read({ limit: 1 }))).toEqual(['b2']);
  expect(read).toEqual([500, 201]);
});

it('LP28 a loop whose beginning was pruned comes last and says so', async () => {
  using home = new EventHome();
  fillRuns(home, ['a'], 2);
  const { log } = home.open({ maxEvents: 1_000 });
  while (log.prune() > 0);
  const history = new LoopHistoryReader(log, home.clock);
  const { runs: page } = await history.read({ session: 'a', limit: 20 });
  expect(page.map(({ run_id, complete }) => [run_id, complete])).toEqual([
    ['a1', true],
    [null, false],
  ]);
});

it('LP29 a failed loop starts again with its limits, or with the given ones', async () => {
  await using world = new World({ LOOPWATCH_RESTART_DELAYS_MS: '1' });
  const { api } = await world.start();
  await startLoop(world, api, 'web', [step(CHECK), CRASH]);
  const path = '/api/sessions/web/task-auto/restart';
  expect(refusal(await api.send('POST', path))).toBe('409 session_busy');
  const failed = async () => (await api.loop('web')).status === 'failed';
  await until('the loop has failed', failed);
  // From now on it keeps working.
  world.taskDir('web', { steps: [step(CHECK, 600_000)] });
  const again = await api.send('POST', path, { maxIterations: 7 });
  expect(again).toMatchObject({
    status: 201,
    body: { session_name: 'web', task_dir: world.taskDir('web'), status: 'running' },
  });
  expect(again.body).toMatchObject({ max_iterations: 7, timeout_minutes: 9 });
  expect(await api.loop('web')).toMatchObject({ status: 'running', restart_count: 0 });
  expect(await runs(api)).toMatchObject([{ outcome: null }, { outcome: 'failed' }]);
});

it('LP29 a restart without a failed loop, or with a wrong body, changes nothing', async () => {
  await using world = new World();
  const { api } = await world.start();
  await api.openSession('web', world.taskDir('web'));
  const send = async (session: string, body?: object) =>
    refusal(await api.send('POST', `/api/sessions/${session}/task-auto/restart`, body));
  expect([
    await send('web'),
    await send('nobody'),
    await send('web', { maxIterations: 0 }),
    await send('web', { taskDir: '/' }),
  ]).toEqual(['404 no_loop', '404 session_unknown', '400 invalid_body', '400 invalid_body']);
  expect(await api.events('&types=auto.*')).toEqual([]);
});
