/** Usage over REST: what tasks and verdicts spent, as the API, the export and the metrics say it. */
import { expect, it } from 'vitest';
import type { UsageReport } from '../../../shared/schema/usage/usage.ts';
import { scrape } from '../../support/browser/scrape.ts';
import { TaskHome } from '../../support/tasks/task-home.ts';
import { World } from '../../support/daemon/world.ts';

it('US4 US5 US11 US12 US14 turns and verdicts count for their task, everywhere the same', async () => {
  await using world = new World();
  const { api } = await world.start();
  const home = new TaskHome(world, api);
  const options = { end_criteria: 'it greets', max_iterations: 1 };
  await home.run('fix', ['say done'], options);
  let task = await home.get('fix');
  while (!['COMPLETED', 'EXHAUSTED', 'FAILED', 'PAUSED'].includes(task.status)) {
    task = await home.get('fix');
  }
  const report = (await api.get('/api/usage?by=subject')).body as unknown as UsageReport;
  const [row] = report.rows;
  expect(report.rows.map(({ key }) => key)).toEqual(['task:fix']);
  expect(row).toMatchObject({ tokens: { sources: ['result'] }, cost: { sources: ['result'] } });
  const { micro_usd: cost = 0 } = row?.cost ?? {};
  const { output = 0 } = row?.tokens ?? {};
  expect(cost).toBe(Math.round(task.total_cost_usd * 1e6));
  expect(output).toBe(task.total_tokens_used);
  expect(report.totals.tokens?.output).toBe(output);
  const exported = await fetch(`${api.url}/api/usage/export?format=jsonl`, {
    headers: { authorization: `Bearer ${api.token}` },
  });
  expect(exported.headers.get('content-type')).toBe('application/jsonl; charset=utf-8');
  const entries = (await exported.text()).trim().split('\n');
  const parsed = entries.map((line) => JSON.parse(line) as { output_tokens: number });
  // The turn, and the verdict on it.
  expect(parsed.length).toBe(2);
  expect(parsed.reduce((sum, entry) => sum + entry.output_tokens, 0)).toBe(output);
  const figures = await scrape(api);
  const of = (labels: string) => figures.value('usage_tokens_total', labels);
  expect(of('kind="output",source="result"')).toBe(output);
  expect(of('kind="output",source="transcript"')).toBe(0);
  expect(figures.value('usage_cost_dollars_total', 'source="result"')).toBe(cost / 1e6);
  expect((await api.get('/api/usage?by=nobody')).status).toBe(400);
  expect((await api.get('/api/usage?since=2026-02-30')).status).toBe(400);
});
