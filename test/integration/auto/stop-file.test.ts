/** A stop file that the daemon did not write: honoured while the loop runs, removed when left over. */
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { DATABASE_FILE } from '../../../server/db/database.ts';
import { STOP_FILE } from '../../../shared/schema/loops/auto-signal.ts';
import { agentsIn } from '../../support/agents/agent-census.ts';
import { writeDatabase } from '../../support/drills/database-files.ts';
import {
  putSignal,
  signalText,
  startSilentLoop,
  untilPolled,
} from '../../support/auto/signal-files.ts';
import { until } from '../../support/house/until.ts';
import { World } from '../../support/daemon/world.ts';

const STOP = JSON.stringify({ reason: 'max_iterations', timestamp: '2026-01-01T00:00:00Z' });

it.each([
  ['a request', 'max_iterations', (path: string) => writeFileSync(path, STOP)],
  ['anything of that name', 'unknown', (path: string) => mkdirSync(path)],
])('LP54 %s that someone else writes stops a running loop', async (_, says, put) => {
  await using world = new World({ LOOPWATCH_STOP_GRACE_MS: '600000' });
  const { api } = await world.start();
  const taskDir = await startSilentLoop(world, api, 'web');
  put(join(taskDir, STOP_FILE));
  const { data } = await api.event('auto.stop_requested');
  const lines = [`.auto-stop was written: ${says}`];
  expect(data).toMatchObject({ reason: 'user_stop', by: 'file', evidence: [{ lines }] });
  expect(data).not.toHaveProperty('author');
  const loop = await api.loop('web');
  expect(loop).toMatchObject({ status: 'stopping', stop_reason: 'user_stop', stop_by: null });
  expect(loop.wait?.evidence).toMatchObject([{ witness: 'directory', lines }]);
});

it('LP54 a stop file does not replace the stop of a person', async () => {
  await using world = new World({ LOOPWATCH_STOP_GRACE_MS: '600000' });
  const { api } = await world.start();
  const taskDir = await startSilentLoop(world, api, 'web');
  await api.send('DELETE', '/api/sessions/web/task-auto');
  await until('the stop file', () => existsSync(join(taskDir, STOP_FILE)));
  writeFileSync(join(taskDir, STOP_FILE), STOP);
  await untilPolled(api, 'web');
  const requests = await api.events('&types=auto.stop_requested');
  expect(requests.map(({ data }) => 'by' in data && data.by)).toEqual(['person']);
});

it('LP55 a stop file that is written while no daemon runs stops the loop, and no name is recorded', async () => {
  await using world = new World({ LOOPWATCH_STOP_GRACE_MS: '600000' });
  const first = await world.spawn();
  const taskDir = await startSilentLoop(world, first.api, 'web');
  await first.kill();
  writeFileSync(join(taskDir, STOP_FILE), STOP);
  const { api } = await world.start();
  const loop = await api.loop('web');
  expect(loop).toMatchObject({ status: 'stopping', stop_reason: 'user_stop', stop_by: null });
  const { data } = await api.event('auto.stop_requested');
  expect(data).toMatchObject({
    by: 'file',
    evidence: [{ lines: ['.auto-stop was written: max_iterations'] }],
  });
  expect(existsSync(join(taskDir, STOP_FILE))).toBe(true);
});

it('LP55 a stop file that is written while no daemon runs comes before a restart that is due', async () => {
  await using world = new World({ LOOPWATCH_RESTART_DELAYS_MS: '600000' });
  const first = await world.spawn();
  const taskDir = await startSilentLoop(world, first.api, 'web');
  world.writeProgram('claude', `touch '${join(taskDir, 'started')}'; exec sleep 1000`);
  for (const pid of agentsIn(taskDir)) process.kill(pid, 'SIGKILL');
  await first.api.event('auto.restart_scheduled');
  await first.kill();
  writeDatabase(
    join(world.home, DATABASE_FILE),
    "UPDATE task_auto SET state = json_set(state, '$.dueMs', 0)",
  );
  writeFileSync(join(taskDir, STOP_FILE), STOP);
  const { api } = await world.start();
  expect(await api.event('auto.ended')).toMatchObject({ data: { reason: 'user_stop' } });
  expect(existsSync(join(taskDir, 'started'))).toBe(false);
});

it('LP55 a stop file from before a start that a daemon did not finish is removed', async () => {
  await using world = new World();
  const first = await world.start();
  const taskDir = await startSilentLoop(world, first.api, 'web');
  await first.daemon.close();
  writeFileSync(join(taskDir, STOP_FILE), STOP);
  const writtenMs = Date.now();
  await until('a later time', () => Date.now() > writtenMs + 20);
  // As a daemon leaves it that dies right after it stored the start.
  const started = new Date().toISOString();
  writeDatabase(
    join(world.home, DATABASE_FILE),
    `UPDATE task_auto SET status = 'starting', started_at = '${started}',
     state = json_set(state, '$.agentProcess', NULL)`,
  );
  const { api } = await world.start();
  await until('the start is finished', async () => (await api.loop('web')).status === 'running');
  expect(existsSync(join(taskDir, STOP_FILE))).toBe(false);
  putSignal(taskDir, signalText({ iteration: 1 }));
  await api.event('auto.signal');
  expect(await api.loop('web')).toMatchObject({ status: 'running', stop_reason: null });
});
