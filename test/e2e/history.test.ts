/** The history page: how past loops went, their totals, and what happened when. */
import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import type { HistoryPage } from '../../shared/schema/loops/past-loop.ts';
import type { ApiClient } from '../support/api-client.ts';
import { openDashboard, useBrowser } from '../support/browser.ts';
import { startSteps } from '../support/loops-in-trouble.ts';
import { until } from '../support/until.ts';
import { World } from '../support/world.ts';

useBrowser();

const CHECK = { step: 'check', result: 'PASS', next: 'exec' };
const REPORT = { step: 'report', result: '(generated)', next: '(stop)' };
const step = (signal: object, work_ms = 50) => ({ do: 'step', work_ms, signal });
const CRASH = { do: 'crash', code: 1 };
const LONG_STEP = step(CHECK, 3_600_000);

async function openHistory(page: Page, api: ApiClient, query = ''): Promise<void> {
  await page.goto(`${api.url}/history${query}`);
  await page.getByRole('heading', { level: 1, name: 'History' }).waitFor();
}

function rowOf(page: Page, session: string) {
  return page.getByRole('listitem').filter({ has: page.getByRole('link', { name: session }) });
}

/** The sum of a chart's table. */
async function sumOf(page: Page, chart: string): Promise<number> {
  const cells = await page
    .getByRole('region', { name: `Numbers of ${chart}` })
    .locator('tbody tr:has(th) td')
    .allInnerTexts();
  return cells.reduce((sum, text) => sum + Number(text), 0);
}

it('HP1, HP2, HP3, HP4 finished loops show why and where their time went; a running one keeps counting', async () => {
  await using world = new World({ LOOPWATCH_RESTART_DELAYS_MS: '1' });
  const { api } = await world.start();
  const limit = { do: 'limit', ms: 8_000 };
  await startSteps(world, api, 'done', [step(CHECK), limit, step(CHECK), step(REPORT)]);
  await startSteps(world, api, 'broken', [step(CHECK), CRASH]);
  await startSteps(world, api, 'live', [step(CHECK), LONG_STEP]);
  await api.event('auto.failed');
  await api.event('auto.ended');
  await until('a step', async () => (await api.loop('live')).iteration === 1);
  await using page = await openDashboard(api);
  await openHistory(page, api);
  const seen = {
    done: ['Completed', '3 iterations', 'for quota', 'By its last signal', world.taskDir('done')],
    broken: ['Failed: Crashed too often', '1 restart', 'Check the last screen', 'its process'],
    live: ['Running', 'started', '1 iteration'],
  };
  for (const [name, words] of Object.entries(seen)) {
    await rowOf(page, name).waitFor();
    const text = await rowOf(page, name).innerText();
    for (const word of words) expect(text).toContain(word);
  }
  await page.getByText('1 of 2 completed (50 %)').waitFor();
  const length = rowOf(page, 'live').locator('strong');
  const before = await length.innerText();
  await expect.poll(async () => length.innerText()).not.toBe(before);
  expect(await rowOf(page, 'live').getByRole('button').count()).toBe(0);

  await page.locator('label').filter({ hasText: 'Failed' }).click();
  await rowOf(page, 'done').waitFor({ state: 'detached' });
  expect(new URL(page.url()).search).toBe('?outcome=failed');
  await page.reload();
  await rowOf(page, 'broken').waitFor();
  expect(await rowOf(page, 'done').count()).toBe(0);
  await openHistory(page, api, '?text=DONE');
  await rowOf(page, 'done')
    .getByRole('button', { name: /^Start again/ })
    .click();
  const dialog = page.getByRole('dialog', { name: 'Start a loop' });
  expect(await dialog.getByLabel('Task directory').inputValue()).toBe(world.taskDir('done'));
});

it('HP5, HP6 the charts count events live, in bars and in a table', async () => {
  await using world = new World();
  const { api } = await world.start();
  await startSteps(world, api, 'first', [step(CHECK), step(CHECK), step(REPORT)]);
  await api.event('auto.ended');
  await using page = await openDashboard(api);
  let counted = 0;
  await page.route('**/api/events/counts*', async (route) => {
    counted += 1;
    await route.continue();
  });
  await openHistory(page, api, '?range=hour');
  await page.getByText('Show as table').first().click();
  const signals = async () => (await api.events('&types=auto.signal')).length;
  await expect.poll(async () => sumOf(page, 'Signals')).toBe(await signals());
  const chart = page.getByRole('slider', { name: /^Signals/ });
  await chart.locator('canvas').waitFor();
  const isDrawn = `(() => {
    const canvas = document.querySelector('[role=slider] canvas');
    const { data } = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height);
    return data.some((value) => value > 0);
  })()`;
  await expect.poll(async () => page.evaluate(isDrawn)).toBe(true);

  const before = await signals();
  const slow = step(CHECK, 400);
  await startSteps(world, api, 'second', [slow, slow, slow, LONG_STEP]);
  await until('three steps', async () => (await api.loop('second')).iteration === 3);
  const after = await signals();
  expect(after).toBeGreaterThan(before);
  await expect.poll(async () => sumOf(page, 'Signals')).toBe(after);
  expect(counted).toBe(1);
  // The newest bar by keyboard: its number is announced and shown.
  await chart.focus();
  await page.keyboard.press('End');
  await page.keyboard.press('ArrowLeft');
  expect(await chart.getAttribute('aria-valuetext')).toMatch(
    /^\d\d:\d\d to \d\d:\d\d: Signals \d+$/,
  );
  await page.keyboard.press('Escape');
  expect(await chart.getAttribute('aria-valuetext')).toBe(`total: Signals ${after}`);
});

it('HP7 the history shows all content of a loop as text', async () => {
  await using world = new World();
  const { api } = await world.start();
  await startSteps(world, api, 'odd', [step(REPORT)]);
  await api.event('auto.ended');
  await using page = await openDashboard(api);
  const evil = (number: number) => `<b>bold</b><img src=x onerror=alert(${number})>\u202e`;
  await page.route('**/api/task-auto/history*', async (route) => {
    const response = await route.fetch();
    const history = (await response.json()) as HistoryPage;
    const [run] = history.runs;
    Object.assign(run ?? {}, { task_dir: evil(1), error: evil(2), reason: 'timeout' });
    for (const evidence of run?.evidence ?? []) evidence.lines = [evil(3)];
    await route.fulfill({ response, json: history });
  });
  await openHistory(page, api);
  for (const number of [1, 2, 3]) {
    const shown = evil(number).replace('\u202e', '\\u{202e}');
    await rowOf(page, 'odd').getByText(shown, { exact: true }).waitFor();
  }
  expect(await page.locator('main b, main img').count()).toBe(0);
});
