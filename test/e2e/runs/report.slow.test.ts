/** The report page: what needs a person is first and leads there; each claim leads to its evidence. */
import { expect, it } from 'vitest';
import { openDashboard, useBrowser } from '../../support/browser/browser.ts';
import { scanAccessibility } from '../../support/browser/scan-accessibility.ts';
import { TaskHome } from '../../support/tasks/task-home.ts';
import { DONE } from '../../support/tasks/task-states.ts';
import { World } from '../../support/daemon/world.ts';

useBrowser();

it('MR12 the page begins with what needs a person, and its claims lead to their evidence', async () => {
  await using world = new World();
  const { api } = await world.start();
  await using page = await openDashboard(api);
  await page.keyboard.press('g');
  await page.keyboard.press('n');
  await page.getByRole('heading', { level: 1, name: 'Report' }).waitFor();
  await page.getByRole('heading', { name: 'Nothing needs you' }).waitFor();
  await page.getByRole('heading', { name: 'No work in this time' }).waitFor();
  expect(await scanAccessibility(page)).toEqual([]);

  const home = new TaskHome(world, api);
  const options = { end_criteria: '' };
  const passing = { ...options, test_commands: ['true'] };
  await home.run('one', ['cost 0.25', 'write shared.txt one', DONE], passing);
  await home.until('one', 'COMPLETED');
  await home.run('two', ['write shared.txt two', DONE], { ...options, test_commands: [] });
  await home.until('two', 'COMPLETED');
  await home.run('bad', ['write b.txt b', DONE], { ...options, test_commands: ['false'] });
  await home.until('bad', 'FAILED');
  await page.getByRole('button', { name: 'Refresh', exact: true }).click();
  const needs = page.getByRole('region', { name: 'What needs you' });
  await needs.getByRole('link', { name: 'task bad: The task failed' }).waitFor();
  expect(await needs.getByRole('heading').innerText()).toBe('task bad: The task failed');
  await expect.poll(async () => needs.getByRole('listitem').count()).toBe(2);
  expect(await page.getByRole('article').count()).toBe(3);
  const card = page.getByRole('article', { name: 'Task one' });
  await card.getByText('ended by the checks').waitFor();
  expect(await card.innerText()).toContain('task/one');
  await page.getByRole('heading', { name: 'Merge in this order' }).waitFor();
  expect(await scanAccessibility(page)).toEqual([]);

  await card.getByRole('link', { name: /^Verified: 1 check at / }).click();
  await page.getByRole('heading', { level: 1, name: 'Events' }).waitFor();
  expect(new URL(page.url()).searchParams.get('event')).toMatch(/^\w+:\d+$/);
  await page.goBack();
  await needs.getByRole('link', { name: 'task bad: The task failed' }).click();
  await page.getByRole('heading', { level: 1, name: 'Inbox' }).waitFor();
});

it('MR12 a report that cannot be read says why, and can be tried again', async () => {
  await using world = new World();
  const { api } = await world.start();
  await using page = await openDashboard(api);
  let isBroken = true;
  await page.route('**/api/report?*', async (route) =>
    isBroken ? route.abort() : route.continue(),
  );
  await page.goto(`${api.url}/report`);
  await page.getByText('The report could not be loaded').waitFor();
  isBroken = false;
  await page.getByRole('button', { name: 'Try again' }).click();
  await page.getByRole('heading', { name: 'No work in this time' }).waitFor();
});
