/** The history page: all work, what it really did, its range and filters, and what happened when. */
import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import type { UnitHistory } from '../../../shared/schema/events/history.ts';
import type { ApiClient } from '../../support/daemon/api-client.ts';
import { openDashboard, useBrowser } from '../../support/browser/browser.ts';
import { scanAccessibility } from '../../support/browser/scan-accessibility.ts';
import { startSteps } from '../../support/auto/loops-in-trouble.ts';
import { script, TaskHome } from '../../support/tasks/task-home.ts';
import { DONE } from '../../support/tasks/task-states.ts';
import { until } from '../../support/house/until.ts';
import { World } from '../../support/daemon/world.ts';

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

function rowOf(page: Page, name: string) {
  return page.getByRole('article', { name: new RegExp(` ${name}$`) });
}

/** Labels of the timeline's axis that are cut or reach out of it. */
const CUT_LABELS = `[...document.querySelectorAll('.axis span')].filter((label) => {
  const bounds = label.parentElement.getBoundingClientRect();
  const { left, right } = label.getBoundingClientRect();
  const isOut = left < bounds.left - 1 || right > bounds.right + 1;
  return isOut || label.scrollWidth > label.clientWidth;
}).length`;

/** The sum of a chart's table. */
async function sumOf(page: Page, chart: string): Promise<number> {
  const cells = await page
    .getByRole('region', { name: `Numbers of ${chart}` })
    .locator('tbody tr:has(th) td')
    .allInnerTexts();
  return cells.reduce((sum, text) => sum + Number(text), 0);
}

it('HP1 HP2 HP3 HP4 HP8 HP9 loops and tasks are listed with what they do, why they ended and their time', async () => {
  await using world = new World({ LOOPWATCH_RESTART_DELAYS_MS: '1' });
  const { api } = await world.start();
  const home = new TaskHome(world, api);
  const limit = { do: 'limit', ms: 8_000 };
  await startSteps(world, api, 'done', [step(CHECK), limit, step(CHECK), step(REPORT)]);
  await startSteps(world, api, 'broken', [step(CHECK), CRASH]);
  await startSteps(world, api, 'held', [step(CHECK), { do: 'limit', ms: 3_600_000 }]);
  await api.event('auto.failed');
  await api.event('auto.ended');
  await until('its limit', async () => (await api.loop('held')).status === 'quota_wait');
  await using page = await openDashboard(api);
  await openHistory(page, api);
  const seen = {
    done: ['Completed', 'waiting for quota', 'ended by'],
    broken: ['Failed', 'Crashed too often', '1 restart'],
    held: ['Waiting for quota', 'started'],
  };
  for (const [name, words] of Object.entries(seen)) {
    const text = await rowOf(page, name).innerText();
    for (const word of words) expect(text).toContain(word);
  }
  expect(await rowOf(page, 'done').locator('code').textContent()).toBe(world.taskDir('done'));
  expect(await rowOf(page, 'held').innerText()).not.toMatch(/Running|Working/);
  await page.getByText('3 items').waitFor();
  const length = rowOf(page, 'held').locator('strong');
  const before = await length.innerText();
  await expect.poll(async () => length.innerText()).not.toBe(before);
  expect(await rowOf(page, 'held').getByRole('button').count()).toBe(0);

  // A task appears without a reload, and asks.
  await home.create('later', { description: script(DONE) });
  await rowOf(page, 'later').getByText('Queued', { exact: true }).waitFor();
  await page.locator('label').filter({ hasText: 'Loops' }).click();
  await rowOf(page, 'later').waitFor({ state: 'detached' });
  await page.getByLabel('State', { exact: true }).selectOption('failed');
  await rowOf(page, 'done').waitFor({ state: 'detached' });
  expect(new URL(page.url()).search).toBe('?kind=loop&state=failed');
  await page.reload();
  await rowOf(page, 'broken').waitFor();
  expect(await page.getByRole('article').count()).toBe(1);
  await page.goto(`${api.url}/history?text=nothing-like-it`);
  await page.getByRole('button', { name: 'Clear the filter' }).click();
  await rowOf(page, 'later').waitFor();
  await openHistory(page, api, '?text=DONE');
  await rowOf(page, 'done')
    .getByRole('button', { name: /^Start again/ })
    .click();
  const dialog = page.getByRole('dialog', { name: 'Start a loop' });
  expect(await dialog.getByLabel('Task directory').inputValue()).toBe(world.taskDir('done'));
});

it('HP10 HP11 HP12 the range is dragged, moved by keys, typed and zoomed out, and is in the address', async () => {
  await using world = new World();
  const { api } = await world.start();
  const home = new TaskHome(world, api);
  await home.create('one', { description: script(DONE) });
  await using page = await openDashboard(api);
  await openHistory(page, api, '?range=hour');
  await rowOf(page, 'one').waitFor();
  const range = () => {
    const query = new URL(page.url()).searchParams;
    const [since, until] = [query.get('since'), query.get('until')];
    if (since === null) return null;
    return (until === null ? Date.now() : Date.parse(until)) - Date.parse(since);
  };
  const hourMs = 3_600_000;
  const near = (wanted: number) => {
    const length = range();
    return length !== null && Math.abs(length - wanted) < 0.1 * wanted;
  };

  const plot = await page.locator('.plot').first().boundingBox();
  if (plot === null) throw new Error('no timeline');
  const { x, y, width, height } = plot;
  await page.mouse.move(x + width * 0.25, y + height / 2);
  await page.mouse.down();
  await page.mouse.move(x + width * 0.5, y + height / 2, { steps: 4 });
  await page.mouse.up();
  await expect.poll(() => near(hourMs / 4)).toBe(true);
  // The task began later.
  await page.getByRole('heading', { name: 'No work in this time' }).waitFor();
  await page.getByRole('button', { name: 'Zoom out' }).click();
  await expect.poll(() => near(hourMs / 2)).toBe(true);

  const beginning = page.getByRole('slider', { name: 'Beginning of the range' });
  const begins = async () => beginning.getAttribute('aria-valuetext');
  const zoomed = await begins();
  await page.locator('label').filter({ hasText: '24 hours' }).click();
  await expect.poll(() => new URL(page.url()).search).toBe('?range=day');
  // Before its data is there, a key would move by a step of the range before.
  await expect.poll(begins).not.toBe(zoomed);
  await beginning.focus();
  const before = await begins();
  for (let n = 0; n < 6; n += 1) await page.keyboard.press('PageUp');
  expect(await begins()).not.toBe(before);
  await page.keyboard.press('Escape');
  expect(await begins()).toBe(before);
  for (let n = 0; n < 6; n += 1) await page.keyboard.press('PageUp');
  await page.keyboard.press('Enter');
  await expect.poll(() => near(12 * hourMs)).toBe(true);

  await page.getByLabel('From').fill('2026-01-02T03:04');
  await page.getByLabel('to', { exact: true }).fill('2026-01-01T03:04');
  await page.getByRole('alert').filter({ hasText: 'before the end' }).waitFor();
  await page.getByLabel('to', { exact: true }).fill('2026-01-02T05:04');
  await expect.poll(() => near(2 * hourMs)).toBe(true);
  await page.reload();
  await page.getByRole('heading', { name: 'No work in this time' }).waitFor();
  expect(await page.getByLabel('From').inputValue()).toBe('2026-01-02T03:04');

  // A range with a name has no fields; an end is typed only once it is wanted.
  await page.locator('label').filter({ hasText: '7 days' }).click();
  await page.getByLabel('From').waitFor({ state: 'detached' });
  await page.locator('label').filter({ hasText: 'Custom' }).click();
  await page.getByText('to now').waitFor();
  await page.getByRole('button', { name: 'Set end' }).click();
  await page.getByLabel('to', { exact: true }).fill('2026-01-01T03:04');
  await page.getByRole('alert').filter({ hasText: 'before the end' }).waitFor();
  await page.getByLabel('to', { exact: true }).fill('');
  await page.getByText('to now').waitFor();

  for (const size of [1440, 390]) {
    await page.setViewportSize({ width: size, height: 900 });
    await page.goto(`${api.url}/history`);
    await rowOf(page, 'one').waitFor();
    expect(await page.evaluate(CUT_LABELS)).toBe(0);
  }
  expect(await scanAccessibility(page)).toEqual([]);
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

it('HP7 the history shows all content of a unit as text', async () => {
  await using world = new World();
  const { api } = await world.start();
  await startSteps(world, api, 'odd', [step(REPORT)]);
  await api.event('auto.ended');
  await using page = await openDashboard(api);
  const evil = (number: number) => `<b>bold</b><img src=x onerror=alert(${number})>\u202e`;
  await page.route('**/api/history*', async (route) => {
    const response = await route.fetch();
    const history = (await response.json()) as UnitHistory;
    const [unit] = history.units;
    Object.assign(unit ?? {}, { project: evil(1), error: evil(2), asked: evil(3) });
    await route.fulfill({ response, json: history });
  });
  await openHistory(page, api);
  for (const number of [1, 2, 3]) {
    const shown = evil(number).replace('\u202e', '\\u{202e}');
    await rowOf(page, 'odd').getByText(shown, { exact: true }).waitFor();
  }
  expect(await page.locator('main b, main img').count()).toBe(0);
});
