/**
 * Tasks created, found and followed on their page, with a real daemon, a repository and the
 * stand-in as the agent.
 */
import { expect, it } from 'vitest';
import { connection, openDashboard, useBrowser } from '../../support/browser/browser.ts';
import { join } from '../../support/daemon/invite-person.ts';
import { scanAccessibility } from '../../support/browser/scan-accessibility.ts';
import { script, TaskHome } from '../../support/tasks/task-home.ts';
import { openTask, openTasks, talk } from '../../support/tasks/task-pages.ts';
import { World } from '../../support/daemon/world.ts';

useBrowser();

it('TA3, TA4, TA5 a task is described in the dialog, works, and its conversation appears without a reload', async () => {
  await using world = new World();
  const { api } = await world.start();
  const home = new TaskHome(world, api);
  await using page = await openDashboard(api);
  await openTasks(page);
  await page.getByRole('heading', { name: 'No tasks yet' }).waitFor();
  expect(await scanAccessibility(page)).toEqual([]);
  await page.keyboard.press('n');
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('button', { name: 'Create task' }).click();
  await dialog.getByText('Enter a description.').waitFor();
  await dialog.getByText('Enter a project directory.').waitFor();
  const steps = [
    'say I **see** <b>nothing</b>.',
    'tool Bash {"command":"ls"}',
    'wait 500',
    'say Done.',
  ];
  await dialog.getByLabel('Description', { exact: true }).fill(script(...steps));
  await dialog.getByRole('combobox', { name: 'Project directory' }).fill(home.repository);
  await dialog.getByText('More options').click();
  expect(await dialog.getByLabel('Name', { exact: true }).inputValue()).toBe('greet-by-name');
  await dialog.getByText('Empty = main').waitFor();
  await dialog.getByLabel('Base branch').fill('nowhere');
  await dialog.getByText('None', { exact: true }).click();
  expect(await scanAccessibility(page)).toEqual([]);
  await dialog.getByRole('button', { name: 'Create task' }).click();
  // Refused at its field, and nothing typed is lost.
  await dialog.locator('[aria-invalid=true]').waitFor();
  expect(await dialog.getByLabel('Base branch').getAttribute('aria-invalid')).toBe('true');
  await dialog.getByLabel('Base branch').fill('main');
  await dialog.getByRole('button', { name: 'Create task' }).click();
  await page.getByRole('heading', { level: 1, name: 'greet-by-name' }).waitFor();
  const words = talk(page, 'greet-by-name');
  await words.getByText('<b>nothing</b>.', { exact: true }).waitFor();
  await words.getByRole('button', { name: /Bash/ }).click();
  await page.getByText('Completed', { exact: true }).waitFor();
  await page.getByText('Unverified', { exact: true }).first().waitFor();
  expect(await scanAccessibility(page)).toEqual([]);
});

it('TA1, TA11, TA12 tasks are found in list and board, by keyboard, and a link shows the same', async () => {
  await using world = new World();
  const { api } = await world.start();
  const home = new TaskHome(world, api);
  await home.create('alpha');
  await home.create('beta', { depends_on: ['alpha'] });
  await home.run('gamma', ['say Done.'], { test_commands: [] });
  await home.until('gamma', 'COMPLETED');
  await using page = await openDashboard(api);
  await page.keyboard.press('g');
  await page.keyboard.press('t');
  const waits = page.getByRole('region', { name: 'Waiting' });
  await waits.getByText('Not started yet, waiting for alpha').waitFor();
  await page.getByRole('region', { name: 'Ended' }).getByText('gamma', { exact: true }).waitFor();
  expect(await scanAccessibility(page)).toEqual([]);
  await page.getByText('Board', { exact: true }).click();
  await page.getByRole('region', { name: 'Pending' }).getByText('beta', { exact: true }).waitFor();
  expect(page.url()).toMatch(/layout=board/);
  expect(await scanAccessibility(page)).toEqual([]);
  await page.getByLabel('Search tasks').fill('bet');
  await page.getByText('alpha', { exact: true }).waitFor({ state: 'detached' });
  await page.reload();
  await page.getByRole('region', { name: 'Pending' }).getByText('beta', { exact: true }).waitFor();
  expect(await page.getByText('gamma', { exact: true }).count()).toBe(0);
  await page.keyboard.press('j');
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { level: 1, name: 'beta' }).waitFor();
  // Changes made elsewhere show up here.
  await home.post('alpha', 'start');
  await openTasks(page);
  await page.getByRole('region', { name: 'Ended' }).getByText('alpha', { exact: true }).waitFor();
});

it('TA18 a viewer sees tasks and can neither act nor write', async () => {
  await using world = new World();
  const { api } = await world.start();
  const home = new TaskHome(world, api);
  await home.create('watched');
  const viewer = await join(api, 'vera', 'viewer');
  await using page = await openDashboard(viewer.api);
  await openTask(page, 'watched');
  await page.getByText('Viewers can’t send input. Ask an operator.').waitFor();
  expect(await page.getByLabel('More actions').count()).toBe(0);
  expect(await page.getByRole('button', { name: 'Start', exact: true }).count()).toBe(0);
});

it('TA3 without a live connection the page of a task keeps up by polling', async () => {
  await using world = new World();
  const { api } = await world.start();
  const home = new TaskHome(world, api);
  await home.create('polled', { description: script('say Heard.'), test_commands: [] });
  await using page = await openDashboard(api);
  await page.routeWebSocket('**/ws', (socket) => socket.close());
  await page.reload();
  await connection(page, 'Polling').waitFor();
  await openTask(page, 'polled');
  await home.post('polled', 'start');
  await page.getByText('Completed', { exact: true }).waitFor();
  await talk(page, 'polled').getByText('Heard.', { exact: true }).waitFor();
  expect(await scanAccessibility(page)).toEqual([]);
});
