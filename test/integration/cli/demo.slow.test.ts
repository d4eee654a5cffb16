/** The demo from its first event to its last, at a fifth of its duration. */
import { expect, test } from 'vitest';
import type { ApiClient } from '../../support/daemon/api-client.ts';
import { World } from '../../support/daemon/world.ts';

/** At once, since they mostly wait. */
const it = test.concurrent;

const FAST = { demoPace: 0.2 };

/** The first occurrence of each, in this order. */
const COURSE = [
  'started',
  'recovered',
  'quota_entered',
  'quota_left',
  'restart_scheduled crashed',
  'restarted',
  'ended completed',
];
/** Each at least once: at this pace a slow machine may see a moment twice, or late. */
const MOMENTS = [
  'stall_suspected',
  'recovery_tried yes',
  'attention.raised permission',
  'attention.cleared permission',
];

/** What happened to the loop, without its steps. */
async function story(api: ApiClient): Promise<{ course: string[]; moments: string[] }> {
  const events = await api.events('&types=auto.*,attention.*');
  const names = events.map(({ type, data }) => {
    const { reason, answer } = data as Record<string, unknown>;
    const words = [type.replace('auto.', ''), reason, answer];
    return words.filter((word) => typeof word === 'string').join(' ');
  });
  return {
    course: [...new Set(names.filter((words) => COURSE.includes(words)))],
    moments: MOMENTS.filter((words) => names.includes(words)),
  };
}

it('SD1 the demo reaches its end through a stall, a limit, a question and a crash, without a person', async () => {
  // Slow settings, as where real loops run, and no permission to type anything.
  await using world = new World({
    LOOPWATCH_HEARTBEAT_MS: '60000',
    LOOPWATCH_RESTART_DELAYS_MS: '600000',
    LOOPWATCH_QUOTA_DELAYS_MS: '600000',
    LOOPWATCH_IDLE_CONFIRM_MS: '60000',
    LOOPWATCH_RECOVERY: 'off',
  });
  const { api } = await world.start(undefined, FAST);
  expect((await api.send('POST', '/api/demo')).status).toBe(201);
  await api.event('auto.ended');
  expect(await story(api)).toEqual({ course: COURSE, moments: MOMENTS });
  const [limit] = await api.events('&types=auto.quota_entered');
  const { until } = limit?.data as { until: string };
  const waitMs = Date.parse(until) - Date.parse(limit?.at ?? '');
  // The time of its status line, so that the page can count down to it: its screen shows only minutes.
  expect(Math.abs(waitMs)).toBeLessThan(60_000);
  const steps = await api.events('&types=auto.signal');
  expect(steps.map(({ data }) => (data as { step: string }).step)).toEqual([
    'plan',
    'check',
    'exec',
    'check',
    'exec',
    'exec',
    'check',
    'merge',
    'report',
  ]);
});

it('SD3 the demo survives a daemon that ends in the middle: the next one continues it', async () => {
  await using world = new World({ LOOPWATCH_HEARTBEAT_MS: '60000' });
  const first = await world.start(undefined, FAST);
  await first.api.send('POST', '/api/demo');
  await first.api.event('auto.quota_entered');
  await first.daemon.close();
  const { api } = await world.start(undefined, FAST);
  await api.event('auto.ended');
  expect(await story(api)).toEqual({ course: COURSE, moments: MOMENTS });
});

it('SD4 another session with its name is left alone', async () => {
  await using world = new World();
  const { api } = await world.start(undefined, FAST);
  await api.openSession('demo', world.taskDir('mine'));
  const { status, body } = await api.send('POST', '/api/demo');
  expect([status, body.error?.code]).toEqual([409, 'session_exists']);
  const { body: session } = await api.get('/api/sessions/demo');
  expect(session).toMatchObject({ status: 'open', cwd: world.taskDir('mine') });
});
