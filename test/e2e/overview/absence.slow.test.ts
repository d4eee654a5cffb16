/** While you were away: what ended since the last visit, until a person dismisses it. */
import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { connection, openDashboard, useBrowser } from '../../support/browser/browser.ts';
import { scanAccessibility } from '../../support/browser/scan-accessibility.ts';
import { TaskHome } from '../../support/tasks/task-home.ts';
import { DONE } from '../../support/tasks/task-states.ts';
import { until } from '../../support/house/until.ts';
import { World } from '../../support/daemon/world.ts';

useBrowser();

const HOURS_AWAY = 3;

it('AW1, AW2, AW3 what ended is shown with links, in all tabs, until it is dismissed', async () => {
  await using world = new World();
  const { api } = await world.start();
  await using page = await openDashboard(api);
  const notice = (tab: Page) => tab.getByRole('region', { name: 'While you were away' });
  const home = new TaskHome(world, api);
  const options = { end_criteria: '' };
  await home.run('good', ['cost 0.25', DONE], { ...options, test_commands: ['true'] });
  await home.until('good', 'COMPLETED');
  await home.run('bad', [DONE], { ...options, test_commands: ['false'] });
  await home.until('bad', 'FAILED');
  expect(await notice(page).count()).toBe(0);

  await goAway(page);
  await notice(page).waitFor();
  const text = await notice(page).innerText();
  expect(text).toContain('3 h, from ');
  expect(text).toMatch(/Failed 1\s+bad/);
  expect(text).toMatch(/Completed, verified 1\s+good/);
  expect(text).toMatch(/Spent\s+\$0\.2\d/);
  expect(await scanAccessibility(page)).toEqual([]);

  await notice(page).getByRole('link', { name: 'Task bad' }).click();
  await page.getByRole('heading', { level: 1, name: 'bad' }).waitFor();
  await page.goBack();
  await notice(page).getByRole('link', { name: 'Open the report' }).click();
  await page.getByRole('heading', { name: 'All work' }).waitFor();
  const query = new URL(page.url()).searchParams;
  const [since, until] = ['since', 'until'].map((name) => Date.parse(query.get(name) ?? ''));
  expect(Math.round(((until ?? 0) - (since ?? 0)) / 3_600_000)).toBe(HOURS_AWAY);
  expect(await page.getByRole('article').count()).toBe(2);
  await page.getByText('24 hours', { exact: true }).click();
  await expect.poll(() => new URL(page.url()).search).toBe('?range=day');

  const second = await page.context().newPage();
  await second.goto(`${api.url}/`);
  await notice(second).waitFor();
  await page.goto(`${api.url}/`);
  await notice(page).waitFor();
  await notice(second).getByRole('button', { name: 'Dismiss' }).click();
  await notice(second).waitFor({ state: 'hidden' });
  await notice(page).waitFor({ state: 'hidden' });
  await page.reload();
  await connection(page, 'Live').waitFor();
  expect(await notice(page).count()).toBe(0);
});

it('AW1, AW2 an absence without work is not shown, and one that cannot be read says why', async () => {
  await using world = new World();
  const { api } = await world.start();
  await using page = await openDashboard(api);
  let isBroken = true;
  await page.route('**/api/report?*', async (route) =>
    isBroken ? route.abort() : route.continue(),
  );
  await goAway(page);
  await page.getByText('What happened could not be loaded').waitFor();
  isBroken = false;
  await page.getByRole('button', { name: 'Try again' }).click();
  await page.getByRole('heading', { name: 'While you were away' }).waitFor({ state: 'hidden' });
  // It is hidden while it is read again, and forgotten once it was read.
  await until('the absence is forgotten', async () => {
    const stored = await page.evaluate("localStorage.getItem('loopwatch.presence')");
    return (JSON.parse(String(stored)) as { absence: unknown }).absence === null;
  });
});

/** As if the last person had left the page hours ago; comes back with a new document. */
async function goAway(page: Page): Promise<void> {
  const presence = { seenMs: Date.now() - HOURS_AWAY * 3_600_000, absence: null };
  const text = JSON.stringify(JSON.stringify(presence));
  await page.evaluate(`localStorage.setItem('loopwatch.presence', ${text})`);
  await page.reload();
}
