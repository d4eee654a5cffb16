/** What is kept for people on a daemon: tasks wait with the reason, and continue without it. */
import { expect, it } from 'vitest';
import type { Reserve } from '../../../shared/schema/usage/reserve.ts';
import { TaskHome } from '../../support/tasks/task-home.ts';
import { until } from '../../support/house/until.ts';
import { World } from '../../support/daemon/world.ts';

const POLICY = {
  line: { five_hour: 50, weekly: 100 },
  hours: [{ days: [1, 2, 3, 4, 5, 6, 7], from: 0, to: 24, five_hour: 60, weekly: 0 }],
  zone: 'Europe/Berlin',
};

it('FP5 FP7 FP9 tasks wait for an unknown window when asked to, and continue when nothing is kept', async () => {
  await using world = new World();
  const { api } = await world.start();
  const home = new TaskHome(world, api);
  const wrong = await api.send('PUT', '/api/reserve', { ...POLICY, zone: 'Mars/Olympus' });
  expect(wrong.status).toBe(400);
  const set = await api.send('PUT', '/api/reserve', { ...POLICY, unknown: 'wait' });
  expect(set.body).toMatchObject({
    policy: { stale_minutes: 30 },
    windows: [{ window: 'five_hour', state: 'unknown', limit_percent: 40 }, { state: 'open' }],
    hold: { until: null },
  });
  await home.run('night', ['say Done.'], { test_commands: [] });
  const waiting = await home.until('night', 'PAUSED');
  expect(waiting).toMatchObject({
    reason: 'reserve',
    wait: {
      reason: 'reserve',
      evidence: [
        { lines: ['5-hour window: unknown, work begins below 40 % (60 % is kept for people)'] },
      ],
    },
  });
  const now = (await api.get('/api/reserve')).body as unknown as Reserve;
  expect(now.holding).toEqual(['task:night']);
  await api.send('DELETE', '/api/reserve', undefined);
  await home.until('night', 'COMPLETED');
  await until('both changes are events', async () => {
    const removed = await api.event('reserve.removed');
    return (await api.event('reserve.set')).seq < removed.seq;
  });
});
