/** A loop as the page shows it while it runs, and the actions it offers. */
import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import {
  card,
  listedEvents,
  openDashboard,
  openSession,
  screenOf,
  useBrowser,
} from '../../support/browser/browser.ts';
import { until } from '../../support/house/until.ts';
import { World } from '../../support/daemon/world.ts';

useBrowser();

const step = (signal: object, work_ms: number) => ({ do: 'step', work_ms, signal });
const PLAN = { step: 'plan', result: '(generated)', next: 'check', checkpoint: 'post-plan' };
const CHECK = { step: 'check', result: 'PASS', next: 'exec' };
const REPORT = { step: 'report', result: '(generated)', next: '(stop)' };
const HOUR_MS = 3_600_000;

/** A world with a task whose agent plans, checks, and then works on its report for that long. */
function worldWith(reportMs: number): World {
  const world = new World();
  const say = { do: 'say', lines: ['Writing the report'] };
  const steps = [step(PLAN, 300), step(CHECK, 300), say, step(REPORT, reportMs)];
  world.taskDir('weather', { after: 'exit', steps });
  return world;
}

/** Starts the loop with the dialog; what it fills in stays as it is. */
async function startByDialog(page: Page, taskDir: string): Promise<void> {
  await page.evaluate('window.isFirstDocument = true');
  await page.getByRole('banner').getByRole('button', { name: 'Start a loop' }).click();
  const dialog = page.getByRole('dialog', { name: 'Start a loop' });
  await dialog.getByLabel('Task directory').fill(taskDir);
  const filledIn = [
    await dialog.getByLabel('Session name').inputValue(),
    await dialog.getByLabel('Max iterations').inputValue(),
    await dialog.getByLabel('Time limit (minutes)').inputValue(),
  ];
  expect(filledIn).toEqual(['weather', '20', '30']);
  await dialog.getByRole('button', { name: 'Start loop' }).click();
  await page.getByRole('heading', { level: 1, name: 'weather' }).waitFor();
}

/** The card's text as words, however it is laid out. */
async function words(page: Page): Promise<string> {
  return (await card(page, 'weather').innerText()).replace(/\s+/g, ' ');
}

it('PG2, PG4, OV3, OV24 a loop started in the dialog shows its position, without a reload', async () => {
  await using world = worldWith(HOUR_MS);
  const { api } = await world.start();
  await using page = await openDashboard(api);
  await startByDialog(page, world.taskDir('weather'));
  await card(page, 'weather').getByText('2 / 20').waitFor();
  await screenOf(page, 'weather').getByText('Writing the report').waitFor();
  expect(await words(page)).toMatch(/Running .*Last check PASS, then exec/i);
  expect(await card(page, 'weather').locator('[aria-current=step]').innerText()).toBe('exec');
  const events = page.getByRole('region', { name: 'Timeline' });
  await events.getByText('Iteration 2: check PASS, then exec').waitFor();
  await until('every event is listed, newest first', async () => {
    const kept = (await api.events('&session=weather')).map(({ seq }) => seq).reverse();
    return (await listedEvents(page)).join() === kept.join();
  });
  await page.getByRole('link', { name: 'Overview' }).first().click();
  await page.getByRole('button', { name: 'Show events' }).click();
  await page.getByRole('region', { name: 'Latest events' }).getByText('Iteration 2').waitFor();
  expect(await words(page)).toMatch(/weather Running .*2 \/ 20/i);
  expect(await card(page, 'weather').locator('[aria-current=step]').innerText()).toBe('exec');
  expect(await page.evaluate('window.isFirstDocument')).toBe(true);
});

it('PG2 a loop that ends on its own is shown as ended', async () => {
  await using world = worldWith(300);
  const { api } = await world.start();
  await using page = await openDashboard(api);
  await startByDialog(page, world.taskDir('weather'));
  await card(page, 'weather').getByText('Loop ended: Completed').waitFor();
  await card(page, 'weather').getByText('No loop', { exact: true }).waitFor();
  await card(page, 'weather').getByRole('button', { name: 'Start loop in weather' }).waitFor();
  expect(await page.evaluate('window.isFirstDocument')).toBe(true);
});

it('PG2 limits are changed and the loop is stopped from the page', async () => {
  await using world = worldWith(HOUR_MS);
  const { api } = await world.start();
  await using page = await openDashboard(api);
  await startByDialog(page, world.taskDir('weather'));
  await card(page, 'weather').getByText('2 / 20').waitFor();
  const limits = page.getByRole('region', { name: 'Limits' });
  await limits.getByLabel('Max iterations').fill('0');
  await limits.getByLabel('Time limit (minutes)').fill('45');
  await limits.getByRole('button', { name: 'Change limits' }).click();
  await limits.locator('[aria-invalid=true]').waitFor();
  expect(await limits.getByLabel('Time limit (minutes)').inputValue()).toBe('45');
  await limits.getByLabel('Max iterations').fill('33');
  await limits.getByRole('button', { name: 'Change limits' }).click();
  await card(page, 'weather').getByText('2 / 33').waitFor();
  expect(await api.loop('weather')).toMatchObject({ max_iterations: 33, timeout_minutes: 45 });

  await card(page, 'weather').getByRole('button', { name: 'Stop the loop of weather' }).click();
  await card(page, 'weather').getByText('Stopping', { exact: true }).waitFor();
  await card(page, 'weather').getByText('Loop ended: Stopped by a person').waitFor();
  expect((await api.event('auto.ended')).data).toMatchObject({ reason: 'user_stop' });
});

it('PG2, SE3 a typed line reaches the terminal as it is, and its snapshot follows', async () => {
  await using world = new World();
  const { api } = await world.start();
  await api.openSession('shell', world.taskDir('shell'));
  await using page = await openDashboard(api);
  await openSession(page, 'shell');
  const input = page.getByLabel('Type into shell');
  await input.fill('printf "%s|" "$((6 * 7))" \'a;b\' "#{pid}"');
  await input.press('Enter');
  await screenOf(page, 'shell').getByText('42|a;b|#{pid}|').waitFor();
  await page.getByText('Typed.').waitFor();
  expect(await input.inputValue()).toBe('');
});

it('PG2 a session that is opened and closed elsewhere appears and disappears', async () => {
  await using world = new World();
  const { api } = await world.start();
  await using page = await openDashboard(api);
  await page.getByRole('heading', { name: 'No sessions yet' }).waitFor();
  await api.openSession('shell', world.taskDir('shell'));
  await card(page, 'shell').getByText(world.taskDir('shell')).waitFor();
  await card(page, 'shell').getByRole('button', { name: 'Close session shell' }).click();
  const dialog = page.getByRole('dialog', { name: 'Close session shell?' });
  await dialog.getByRole('button', { name: 'Close session' }).click();
  await page.getByRole('heading', { name: 'No sessions yet' }).waitFor();
  expect((await api.get('/api/sessions/shell')).status).toBe(404);
});
