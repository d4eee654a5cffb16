/** Loops that stall, run into limits and fail requests, with the stand-in in real terminals. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { Clock } from '../../../server/lib/clock.ts';
import type { ApiClient } from '../../support/daemon/api-client.ts';
import { SkipClock } from '../../support/house/skip-clock.ts';
import { until } from '../../support/house/until.ts';
import { World } from '../../support/daemon/world.ts';

/** At once, since they mostly wait. */
const it = test.concurrent;

const PLAN = { step: 'plan', result: '(generated)', next: 'check', checkpoint: 'post-plan' };
const REPORT = { step: 'report', result: '(generated)', next: '(stop)' };
const work = (signal: object) => ({ do: 'step', work_ms: 20, signal });

/** Seconds instead of hours; a stall takes longer than a slow machine needs to start an agent. */
const QUICK = {
  LOOPWATCH_HEARTBEAT_MS: '2000',
  LOOPWATCH_QUOTA_DELAYS_MS: '300,300,300',
  LOOPWATCH_ERROR_DELAYS_MS: '300',
};
/** Of a reset. */
const AHEAD_MS = 15 * 60_000;
/** Without heartbeats, and so without stalls. */
const NO_HEARTBEAT = { ...QUICK, LOOPWATCH_HEARTBEAT_MS: '3600000' };

async function runLoop(world: World, steps: object[], clock?: Clock) {
  const { api, daemon } = await world.start(clock);
  const taskDir = world.taskDir('web', { status_record: true, steps });
  await api.openSession('web', taskDir);
  const { status, body } = await api.startLoop('web', taskDir);
  expect({ status, body }).toMatchObject({ status: 201 });
  return { api, daemon };
}

async function story(api: ApiClient): Promise<string[]> {
  const events = await api.events('&types=auto.*');
  return events
    .filter(({ type }) => type !== 'auto.signal')
    .map(({ type, data }) => {
      const fields: Record<string, unknown> = data;
      const of = (key: string) => (typeof fields[key] === 'string' ? fields[key] : '');
      return [type.replace('auto.', ''), of('reason'), of('failure'), of('answer'), of('how')]
        .filter((word) => word !== '')
        .join(' ');
    });
}

async function inbox(api: ApiClient) {
  const { body } = await api.get('/api/attention');
  return (body['items'] as { reason: string; title: string; detail: string | null }[]).map(
    ({ reason, detail }) => ({ reason, detail }),
  );
}

it('LP16, LP17 an agent that asks whether to continue, and stops, gets the answer', async () => {
  await using world = new World(QUICK);
  const pause = { do: 'pause', say: ['The plan is written.\n\nShall I continue?'] };
  const { api } = await runLoop(world, [work(PLAN), pause, work(REPORT)]);
  await api.event('auto.ended');
  expect(await story(api)).toEqual([
    'started',
    'stall_suspected',
    'recovery_tried yes',
    'recovered',
    'ended completed',
  ]);
  const [suspected] = await api.events('&types=auto.stall_suspected');
  expect(JSON.stringify(suspected?.data)).toContain('Shall I continue?');
  const [input] = await api.events('&types=session.input');
  expect(input?.data).toMatchObject({ source: 'daemon', delivery: 'delivered' });
});

it('LP43 a destructive question is not answered: a person is asked, with the lines', async () => {
  await using world = new World(QUICK);
  const pause = { do: 'pause', say: ['Shall I continue and delete all branches?'] };
  const { api } = await runLoop(world, [pause, work(REPORT)]);
  await api.event('auto.recovery_failed');
  await until('the inbox', async () => (await inbox(api)).length > 0);
  expect(await inbox(api)).toEqual([
    { reason: 'stalled', detail: expect.stringContaining('delete all branches') as string },
  ]);
  expect(await api.loop('web')).toMatchObject({ status: 'running', wait: { reason: 'stalled' } });
  expect(await api.events('&types=session.input')).toEqual([]);
  // The person's answer arrives; the loop continues and the inbox is empty again.
  await api.send('POST', '/api/sessions/web/input', { text: 'yes', submit: true });
  await api.event('auto.ended');
  expect(await inbox(api)).toEqual([]);
});

it('LP18 a loop that does not recover ends as stall_limit', async () => {
  await using world = new World({ ...QUICK, LOOPWATCH_STOP_GRACE_MS: '300' });
  const { api } = await runLoop(world, [{ do: 'pause', say: ['That is all I know.'] }]);
  const { data } = await api.event('auto.ended');
  expect(data).toMatchObject({ reason: 'stall_limit', recovery_count: 3 });
  expect((await story(api)).filter((word) => word.startsWith('recovery_failed'))).toHaveLength(3);
});

it('LP21, LP22 a client that continues on its own after its limit is not nudged', async () => {
  await using world = new World({ ...NO_HEARTBEAT, LOOPWATCH_QUOTA_DELAYS_MS: '600000' });
  const { api } = await runLoop(world, [
    work(PLAN),
    { do: 'limit', ms: 5_000 },
    { do: 'step', work_ms: 8_000, signal: REPORT },
  ]);
  const { data } = await api.event('auto.quota_entered');
  expect(data).toMatchObject({ evidence: [{ lines: [expect.stringContaining('5-hour limit')] }] });
  const waiting = await api.loop('web');
  expect(waiting).toMatchObject({ status: 'quota_wait', wait: { reason: 'quota' } });
  await api.event('auto.ended');
  expect(await story(api)).toEqual([
    'started',
    'quota_entered',
    'quota_left by_itself',
    'ended completed',
  ]);
});

it('LP22, LP48 a client that does not continue is nudged once after its reset, and is back when it works', async () => {
  await using world = new World(NO_HEARTBEAT);
  const clock = new SkipClock();
  const steps = [
    { ...work(PLAN), work_ms: 1_500 },
    { do: 'limit', ms: 0, by_itself: false },
    { do: 'step', work_ms: 8_000, signal: REPORT },
  ];
  const { api } = await runLoop(world, steps, clock);
  // So far ahead that no slow machine misses it.
  const resetsAt = Math.ceil((Date.now() + AHEAD_MS) / 1_000);
  await fillStatusLine(world, api, resetsAt);
  await until('the exact time of the reset', async () => {
    const { wait } = await api.loop('web');
    return wait?.until === new Date(resetsAt * 1_000).toISOString();
  });
  clock.skip(AHEAD_MS + 1_000);
  await api.event('auto.ended');
  expect(await story(api)).toEqual([
    'started',
    'quota_entered',
    'recovery_tried continue',
    'quota_left nudged',
    'ended completed',
  ]);
  const [tried] = await api.events('&types=auto.recovery_tried');
  expect(Date.parse(tried?.at ?? '')).toBeGreaterThanOrEqual(resetsAt * 1_000);
});

it('LP47 the time limit stays paused across a restart of the daemon', async () => {
  await using world = new World({ ...NO_HEARTBEAT, LOOPWATCH_QUOTA_DELAYS_MS: '600000' });
  const { api, daemon } = await runLoop(world, [{ do: 'limit', ms: 600_000 }, work(REPORT)]);
  await api.event('auto.quota_entered');
  const before = await api.loop('web');
  await daemon.close();
  const { api: again } = await world.start();
  await until('a second of waiting', async () => {
    const { quota_wait_seconds } = await again.loop('web');
    return (quota_wait_seconds ?? 0) > (before.quota_wait_seconds ?? 0) + 1;
  });
  const after = await again.loop('web');
  expect(after).toMatchObject({ status: 'quota_wait', wait: { until: before.wait?.until } });
  expect(after.elapsed_seconds).toBeLessThanOrEqual((before.elapsed_seconds ?? 0) + 1);
  expect((await story(again)).filter((word) => word === 'quota_entered')).toHaveLength(1);
});

it('LP20 a failed request is retried, and is not a wait for quota', async () => {
  await using world = new World(NO_HEARTBEAT);
  const { api } = await runLoop(world, [
    work(PLAN),
    { do: 'pause', error: 'overloaded' },
    work(REPORT),
  ]);
  await api.event('auto.ended');
  expect(await story(api)).toEqual([
    'started',
    'recovery_tried continue',
    'recovered',
    'ended completed',
  ]);
});

it('LP46 an error that a person must fix waits for them', async () => {
  await using world = new World(NO_HEARTBEAT);
  const { api } = await runLoop(world, [{ do: 'pause', error: 'billing_error' }, work(REPORT)]);
  await until('the inbox', async () => (await inbox(api)).length > 0);
  expect(await inbox(api)).toMatchObject([{ reason: 'agent_error' }]);
  // Raised for the session: the loop hears of the same probe a moment later.
  await until('the loop waits', async () => (await api.loop('web')).wait?.reason === 'agent_error');
});

/** As the client's own status line command would: the limit is used up until then (epoch seconds). */
async function fillStatusLine(world: World, api: ApiClient, resetsAt: number): Promise<void> {
  const { data } = await api.event('auto.started');
  const runId = 'run_id' in data ? data.run_id : '';
  const directory = join(world.home, 'runs', runId);
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  const five_hour = { used_percentage: 100, resets_at: resetsAt };
  const text = JSON.stringify({ rate_limits: { five_hour } });
  writeFileSync(join(directory, 'status-line.json'), text, { mode: 0o600 });
}
