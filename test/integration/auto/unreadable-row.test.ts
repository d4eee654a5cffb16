/** A stored loop that cannot be read any more. */
import { join } from 'node:path';
import Sqlite from 'better-sqlite3';
import { expect, it } from 'vitest';
import { World } from '../../support/daemon/world.ts';

const SCENARIO = {
  steps: [
    { do: 'say', lines: ['waiting'] },
    { do: 'silence', ms: 600_000 },
  ],
};

it('RC4 an unreadable row is a failed loop that can be replaced, and the others continue', async () => {
  await using world = new World();
  const { daemon, api } = await world.start();
  const broken = world.taskDir('broken', SCENARIO);
  const sound = world.taskDir('sound', SCENARIO);
  await api.openSession('broken', broken);
  await api.openSession('sound', sound);
  expect((await api.startLoop('broken', broken)).status).toBe(201);
  expect((await api.startLoop('sound', sound)).status).toBe(201);
  await daemon.close();

  const database = new Sqlite(join(world.home, 'loopwatch.db'));
  database.exec("UPDATE task_auto SET status = 'dreaming' WHERE session_name = 'broken'");
  database.close();

  const { api: next } = await world.start();
  const { status, stop_reason } = await next.loop('broken');
  expect({ status, stop_reason }).toEqual({ status: 'failed', stop_reason: 'corrupt_record' });
  expect((await next.loop('sound')).status).toBe('running');
  expect((await next.send('DELETE', '/api/sessions/broken/task-auto')).status).toBe(200);
  expect((await next.loop('broken')).status).toBe('stopped');
  expect((await next.send('DELETE', '/api/sessions/broken')).status).toBe(202);
});
