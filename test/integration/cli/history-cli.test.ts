/** The history of all work from the shell: the same filters as the page, and text that stays text. */
import { expect, it } from 'vitest';
import { historyLines } from '../../../server/cli/print/print-history.ts';
import type { HistoryUnit, UnitHistory } from '../../../shared/schema/events/history.ts';
import { startSteps } from '../../support/auto/loops-in-trouble.ts';
import { aUnit } from '../../support/runs/report-unit.ts';
import { script, TaskHome } from '../../support/tasks/task-home.ts';
import { DONE } from '../../support/tasks/task-states.ts';
import { until } from '../../support/house/until.ts';
import { World } from '../../support/daemon/world.ts';

const CHECK = { step: 'check', result: 'PASS', next: 'exec' };

it('HP1 HP14 loopwatch history lists loops and tasks, with the filters of the page', async () => {
  await using world = new World();
  const { api } = await world.start();
  expect((await world.cli('history')).stdout).toBe('no work in this time matches\n');
  const home = new TaskHome(world, api);
  await home.create('later', { description: script(DONE) });
  await startSteps(world, api, 'web', [
    { do: 'step', work_ms: 50, signal: CHECK },
    { do: 'limit', ms: 3_600_000 },
  ]);
  await until('its limit', async () => (await api.loop('web')).status === 'quota_wait');
  const { stdout } = await world.cli('history', '--since', '00:00', '--utc');
  const [head, ...rows] = stdout.trimEnd().split('\n');
  expect(head).toMatch(/^started +kind +name +state +time +by +directory/i);
  expect(rows.map((row) => row.replace(/ {2,}/g, '|').split('|').slice(1, 4))).toEqual([
    ['loop', 'web', expect.stringContaining('Waiting for quota')],
    ['task', 'later', 'Queued'],
  ]);
  const names = async (...words: string[]) => {
    const { stdout: json } = await world.cli('history', '--json', ...words);
    return (JSON.parse(json) as { name: string }[]).map(({ name }) => name);
  };
  expect(await names('--kind', 'task')).toEqual(['later']);
  expect(await names('--state', 'quota')).toEqual(['web']);
  expect(await names('--project', home.repository)).toEqual(['later']);
  expect(await names('LATER')).toEqual(['later']);
  expect(await names('--person', 'Mia')).toEqual([]);
  expect((await world.cli('history', '--state', 'running')).code).toBe(2);
  expect((await world.cli('history', '--until', '2020-01-01')).code).toBe(0);
});

it('HP7 HP14 nothing of a unit reaches the terminal raw, and more than is listed is said', () => {
  const evil = 'x\u001b[2J\u202ey\nz';
  const { branches: _, branches_error: __, used: ___, ...unit } = aUnit(evil, { by: evil });
  const rest = { agent: null, root: null, spans: [], complete: false, project: evil };
  const units: HistoryUnit[] = [{ ...unit, ...rest }];
  const lines = historyLines({ units, total: 7 } as unknown as UnitHistory, (at) => at);
  for (const raw of ['\u001b', '\u202e', '\n']) expect(lines.join('')).not.toContain(raw);
  expect(lines.slice(-2)).toEqual([
    '* started before the log begins',
    '1 of 7; raise --limit or narrow it',
  ]);
});
