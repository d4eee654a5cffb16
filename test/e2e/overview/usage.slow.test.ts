/** The usage page: the windows of the plan, sums by day, work, person and project, and their age. */
import { expect, it } from 'vitest';
import type { UsageNow } from '../../../shared/schema/usage/usage.ts';
import { openDashboard, useBrowser } from '../../support/browser/browser.ts';
import { scanAccessibility } from '../../support/browser/scan-accessibility.ts';
import { TaskHome } from '../../support/tasks/task-home.ts';
import { World } from '../../support/daemon/world.ts';

useBrowser();

const HOUR_MS = 3_600_000;

/** As a client with a subscription would report: 60 % used, 2 of 5 hours over. */
function reported(now: UsageNow): UsageNow {
  const time = (inMs: number) => new Date(Date.now() + inMs).toISOString();
  const five_hour = {
    used_percent: 60,
    resets_at: time(3 * HOUR_MS),
    read_at: time(0),
    session: 'web',
    host: null,
  };
  return { ...now, five_hour };
}

it('US43 US44 the page shows the windows, the days, the work, and says what is unknown', async () => {
  await using world = new World();
  const { api } = await world.start();
  await using page = await openDashboard(api);
  await page.keyboard.press('g');
  await page.keyboard.press('u');
  await page.getByRole('heading', { level: 1, name: 'Usage' }).waitFor();
  await page.getByRole('heading', { name: 'No usage in these days' }).waitFor();
  expect(await page.getByText('No agent has reported it').count()).toBe(2);
  expect(await scanAccessibility(page)).toEqual([]);

  const home = new TaskHome(world, api);
  await home.run('fix', ['cost 0.25', 'say Done.'], { test_commands: [] });
  const { total_cost_usd: cost } = await home.until('fix', 'COMPLETED');
  const price = `$${cost.toFixed(2)}`;
  await page.route('**/api/usage/now', async (route) => {
    const answer = await route.fetch();
    await route.fulfill({ json: reported((await answer.json()) as UsageNow) });
  });
  await page.reload();
  const gauge = page.getByRole('article', { name: '5-hour window' });
  await gauge.getByText('20 points ahead of the clock').waitFor();
  expect(await gauge.getByRole('meter').getAttribute('aria-valuetext')).toBe(
    '60 % used, 40 % of its time over',
  );
  const row = page.getByRole('row').filter({ has: page.getByRole('link', { name: 'fix' }) });
  expect(await row.innerText()).toContain(price);
  const days = page.getByRole('region', { name: 'By day' }).getByRole('row');
  expect(await days.count()).toBe(8);
  expect(await days.nth(1).innerText()).toContain(price);
  expect(await days.nth(2).innerText()).toContain('no usage');
  expect(await scanAccessibility(page)).toEqual([]);

  await page.getByRole('button', { name: 'project', exact: true }).focus();
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: 'Show all projects' }).waitFor();
  expect(new URL(page.url()).searchParams.get('project')).toBe(home.repository);
  await page.getByText('Today', { exact: true }).click();
  await expect.poll(async () => days.count()).toBe(2);
});

it('US43 what cannot be read says why, and can be tried again', async () => {
  await using world = new World();
  const { api } = await world.start();
  await using page = await openDashboard(api);
  let isBroken = true;
  await page.route('**/api/usage?*', async (route) =>
    isBroken ? route.abort() : route.continue(),
  );
  await page.goto(`${api.url}/usage`);
  await page.getByText('The usage could not be loaded').waitFor();
  isBroken = false;
  await page.getByRole('button', { name: 'Try again' }).click();
  await page.getByRole('heading', { name: 'No usage in these days' }).waitFor();
});

it('BG12 a task without budget says so, and one click lets it continue', async () => {
  await using world = new World();
  const { api } = await world.start();
  const home = new TaskHome(world, api);
  await using page = await openDashboard(api);
  await page.goto(`${api.url}/usage`);
  await page.getByRole('button', { name: 'Set budget' }).click();
  const dialog = page.getByRole('dialog', { name: 'Set budget' });
  await dialog.getByRole('button', { name: 'Set budget' }).click();
  await dialog.getByText('Enter an amount above 0.').waitFor();
  await dialog.getByLabel('Limit').fill('1');
  await dialog.getByLabel('Why').fill('one night');
  await dialog.getByRole('button', { name: 'Set budget' }).click();
  await page.getByText('one night').waitFor();
  // Its first turn uses it up, and it wants another one.
  await home.run('second', ['cost 1.2', 'say Done.'], { test_commands: [] });
  await home.until('second', 'PAUSED');
  await page.getByText('Waiting: task:second.').waitFor();
  expect(await scanAccessibility(page)).toEqual([]);
  await page.goto(`${api.url}/tasks/second`);
  await page.getByText(/^Cost of today: \$1\.\d\d of \$1\.00 used$/).waitFor();
  expect(await scanAccessibility(page)).toEqual([]);
  await page.getByRole('button', { name: /^Raise to .*: budget of today$/ }).click();
  await home.until('second', 'COMPLETED');
  const raised = await api.event('budget.raised');
  expect(raised.data).toMatchObject({ before: 1, why: 'for task:second' });
});
