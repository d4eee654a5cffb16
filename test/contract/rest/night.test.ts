/** The checks for the night on a daemon: its own facts, and an alert proven by a test. */
import { expect, it } from 'vitest';
import type { Night } from '../../../shared/schema/usage/night.ts';
import { TaskHome } from '../../support/tasks/task-home.ts';
import { DONE } from '../../support/tasks/task-states.ts';
import { World } from '../../support/daemon/world.ts';

it('NI1 NI4 NI6 NI9 a delivered test proves the alert; uncommitted work is named', async () => {
  await using world = new World();
  const { api } = await world.start();
  const read = async () => (await api.get('/api/night')).body as unknown as Night;
  const state = async (name: string) => (await read()).checks.find((check) => check.name === name);
  expect(await state('alerts')).toMatchObject({ state: 'problem' });
  const target = { kind: 'command', argv: ['/bin/true'] };
  const rule = { name: 'Desk', types: ['attention.raised'], target };
  const { id } = (await api.send('POST', '/api/alerts', rule)).body as unknown as { id: string };
  expect(await state('alerts')).toMatchObject({
    state: 'problem',
    fix: "loopwatch alert test 'Desk'",
  });
  await api.send('POST', `/api/alerts/${id}/test`);
  expect(await state('alerts')).toMatchObject({ state: 'ok' });
  // Another target is not proven.
  const other = { kind: 'command', argv: ['/bin/echo'] };
  await api.send('PATCH', `/api/alerts/${id}`, { target: other });
  expect(await state('alerts')).toMatchObject({ state: 'problem' });

  expect(await state('worktrees')).toMatchObject({ state: 'ok' });
  const home = new TaskHome(world, api);
  await home.run('fix', ['write a.txt a', DONE], { test_commands: [], end_criteria: '' });
  await home.until('fix', 'COMPLETED');
  expect((await state('worktrees'))?.detail).toContain('fix');
  expect(await state('awake')).toMatchObject({ state: 'unknown' });
  expect(await state('disk')).toMatchObject({ state: 'ok' });
  const night = await read();
  expect(night.ready).toBe(false);
  expect(Date.parse(night.until)).toBeGreaterThan(Date.parse(night.as_of));
  const { status, body } = await api.get('/api/night?until=2026-01-01T00:00:00Z');
  expect([status, body['error']]).toMatchObject([400, { code: 'invalid_query' }]);
});
