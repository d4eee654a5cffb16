/** The report of a daemon with real tasks, worktrees, checks and a kill. */
import { expect, it } from 'vitest';
import type { Report } from '../../../shared/schema/usage/report.ts';
import { script, TaskHome } from '../../support/tasks/task-home.ts';
import { DONE } from '../../support/tasks/task-states.ts';
import { World } from '../../support/daemon/world.ts';

async function read(home: TaskHome, query = ''): Promise<Report> {
  return (await home.api.get(`/api/report${query}`)).body as unknown as Report;
}

it('MR1 MR2 MR4 MR5 MR6 MR7 MR8 a night of tasks: asked, ended, proven, changed, used, needed', async () => {
  await using world = new World();
  const { api } = await world.start();
  const home = new TaskHome(world, api);
  const passing = { test_commands: ['true'], end_criteria: '' };
  await home.run('one', ['cost 0.25', 'write shared.txt one', 'write a.txt a', DONE], passing);
  await home.until('one', 'COMPLETED');
  await home.run('two', ['write shared.txt two', DONE], { ...passing, test_commands: [] });
  await home.until('two', 'COMPLETED');
  await home.run('bad', ['write b.txt b', DONE], { ...passing, test_commands: ['false'] });
  await home.until('bad', 'FAILED');
  await home.create('later', { description: script(DONE), depends_on: ['bad'] });
  const report = await read(home);
  expect(report.units.map(({ name }) => name).sort()).toEqual(['bad', 'later', 'one', 'two']);
  const unit = (name: string) => report.units.find((each) => each.name === name);
  expect(unit('one')).toMatchObject({
    outcome: 'completed',
    word: 'checks',
    proof: { state: 'proven', checks: [{ name: 'true', status: 'passed' }] },
    project: home.repository,
    complete: true,
  });
  expect(unit('one')?.asked).toContain('Greet by name.');
  expect(unit('one')?.branches).toMatchObject([{ branch: 'task/one', files: 2, additions: 2 }]);
  expect(unit('one')?.proof?.commit).toMatch(/^[0-9a-f]{40}$/);
  const { total_cost_usd: cost } = await home.get('one');
  expect(unit('one')?.used.interval.cost?.micro_usd).toBe(Math.round(cost * 1e6));
  expect(unit('two')).toMatchObject({ outcome: 'completed', word: 'agent', proof: null });
  expect(unit('bad')).toMatchObject({ outcome: 'failed', word: 'checks', reason: 'tests_failed' });
  expect(unit('later')).toMatchObject({ state: 'queued', outcome: null, word: null });
  const { totals, needs, overlaps, merge_orders: orders } = report;
  expect(totals).toMatchObject({ completed: 2, proven: 1, ended_otherwise: 1, open: 1 });
  expect(needs.map(({ kind, unit }) => [kind, unit?.split('@')[0]])).toEqual([
    ['decide', 'task:bad'],
    ['review', 'task:one'],
    ['review', 'task:two'],
  ]);
  expect(needs[0]?.blocks).toBe(1);
  const branches = ['task/one', 'task/two'];
  expect(overlaps.map(({ branches: of, files }) => [of.sort(), files])).toEqual([
    [branches, ['shared.txt']],
  ]);
  expect(orders[0]?.steps.map(({ branch }) => branch)).toEqual(branches);
  // Each claim leads to its event.
  const [epoch, seq] = (unit('one')?.links.proof?.split('=')[1] ?? '').split(':');
  const { body } = await api.get(`/api/events?after=${epoch}:${Number(seq) - 1}&limit=1`);
  const [event] = (body as unknown as { events: { type: string; data: object }[] }).events;
  expect(event).toMatchObject({ type: 'task.tests', data: { task: 'one', status: 'passed' } });
});

it('MR1 an interval that is no interval is refused, and an earlier one has only its own work', async () => {
  await using world = new World();
  const { api } = await world.start();
  const home = new TaskHome(world, api);
  await home.create('one');
  const { body, status } = await api.get(
    '/api/report?since=2026-01-02T00:00:00Z&until=2026-01-01T00:00:00Z',
  );
  expect([status, body['error']]).toMatchObject([400, { code: 'invalid_query' }]);
  expect((await api.get('/api/report?since=yesterday')).status).toBe(400);
  const earlier = await read(home, '?since=2026-01-01T00:00:00Z&until=2026-01-02T00:00:00Z');
  expect(earlier.units).toEqual([]);
});

it('MR9 a daemon that was killed is an anomaly, and its work is in the report once', async () => {
  await using world = new World();
  const first = await world.spawn();
  const home = new TaskHome(world, first.api);
  await home.run('one', ['wait 60000', DONE]);
  await home.until('one', 'RUNNING');
  await first.kill();
  const { api } = await world.start();
  home.api = api;
  const report = await read(home);
  expect(report.anomalies.map(({ kind }) => kind)).toEqual(['daemon_down']);
  expect(report.units.map(({ name, kind }) => `${kind} ${name}`)).toEqual(['task one']);
  await home.post('one', 'stop');
  const [stopped] = (await read(home)).units;
  expect(stopped).toMatchObject({ state: 'ended', outcome: 'stopped', word: 'person' });
  expect(stopped?.word_by).not.toBeNull();
});
