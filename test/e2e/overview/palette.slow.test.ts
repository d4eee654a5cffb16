/** The palette and the theme, in a browser. */
import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';

import {
  connection,
  loginLink,
  openDashboard,
  openSession,
  takeIncidents,
  useBrowser,
} from '../../support/browser/browser.ts';
import { join } from '../../support/daemon/invite-person.ts';
import { scanAccessibility } from '../../support/browser/scan-accessibility.ts';
import { TaskHome } from '../../support/tasks/task-home.ts';
import { rowsIn, takeControl } from '../../support/browser/terminal-page.ts';
import { openShell } from '../../support/terminals/terminal-view.ts';
import { until } from '../../support/house/until.ts';
import { World } from '../../support/daemon/world.ts';

useBrowser();

const field = (page: Page) => page.getByRole('combobox', { name: 'Page, work or action' });

it('PL1 PL6 PL7 Ctrl-K finds a session, a task and a page by letters, with the keyboard alone', async () => {
  await using world = new World();
  const { api } = await world.start();
  await openShell(api, 'billing', world.taskDir('web'));
  await new TaskHome(world, api).create('fix-login');
  await using page = await openDashboard(api);
  await page.keyboard.press('Control+k');
  await field(page).fill('blng');
  await page.getByRole('option', { name: 'Session billing' }).waitFor();
  expect(await scanAccessibility(page)).toEqual([]);
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'billing', level: 1 }).waitFor();

  await page.keyboard.press('Control+k');
  await field(page).fill('fixlog');
  await page.getByRole('option', { name: 'Task fix-login' }).waitFor();
  await page.keyboard.press('Enter');
  await until('the page of the task', () => page.url().endsWith('/tasks/fix-login'));

  // What was used last is first; arrows go round.
  await page.keyboard.press('Control+k');
  const first = page.getByRole('option').first();
  await first.filter({ hasText: 'fix-login' }).waitFor();
  await page.keyboard.press('ArrowUp');
  expect(await first.getAttribute('aria-selected')).toBe('false');
  await page.keyboard.press('ArrowDown');
  expect(await first.getAttribute('aria-selected')).toBe('true');
  await field(page).fill('zzzz');
  await page.getByText('Nothing has these letters in its name.').waitFor();
  await page.keyboard.press('Escape');
  await field(page).waitFor({ state: 'detached' });
});

it('PL4 each person of a browser has the entries they used themselves', async () => {
  await using world = new World();
  const { api } = await world.start();
  const { api: noor } = await join(api, 'Noor', 'viewer');
  await using page = await openDashboard(api);
  const first = page.getByRole('listbox').getByRole('option').first();
  await page.keyboard.press('Control+k');
  const untouched = (await first.textContent()) ?? '';
  await field(page).fill('history');
  await page.keyboard.press('Enter');
  await until('the page of the history', () => page.url().endsWith('/history'));
  await page.keyboard.press('Control+k');
  await first.filter({ hasText: 'History' }).waitFor();
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Log out' }).click();
  await page.goto(await loginLink(noor));
  await connection(page, 'Live').waitFor();
  await page.keyboard.press('Control+k');
  await first.waitFor();
  expect(untouched).not.toContain('History');
  expect(await first.textContent()).not.toContain('History');
});

it('PL1 a terminal gets the key itself', async () => {
  await using world = new World();
  const { api } = await world.start();
  await openShell(api, 'web', world.taskDir('web'));
  await using page = await openDashboard(api);
  await openSession(page, 'web');
  const terminal = await takeControl(page, 'web');
  await page.keyboard.press('Control+k');
  await page.keyboard.type('echo $((6*7))');
  await page.keyboard.press('Enter');
  await rowsIn(terminal).getByText(/^42$/).waitFor();
  expect(await field(page).count()).toBe(0);
});

it('PL8 actions are those of the role, with their keys', async () => {
  await using world = new World();
  const { api } = await world.start();
  await using page = await openDashboard(api);
  await page.getByRole('button', { name: 'Go to a page, work or action' }).click();
  await field(page).fill('start a loop');
  await page.getByRole('option', { name: 'Action Start a loop n' }).click();
  await page.getByRole('dialog', { name: 'Start a loop' }).waitFor();
});

it('TH1 TH2 TH3 a theme is kept in the browser and applies before the first paint', async () => {
  await using world = new World();
  const { api } = await world.start();
  await using page = await openDashboard(api);
  await page.emulateMedia({ colorScheme: 'light' });
  const ground = async () =>
    page.evaluate<string>('getComputedStyle(document.documentElement).backgroundColor');
  const light = await ground();
  // The words, as a person: they are waited for until they no longer move, the hidden radio is not.
  const themes = page.getByRole('group', { name: 'Theme' });
  await themes.getByText('Dark').click();
  await until('it is dark', async () => (await ground()) !== light);
  const dark = await ground();
  // Before any module of the page has run.
  await page.route('**/*.js', async (route) => route.abort());
  await page.reload({ waitUntil: 'commit' });
  await until('it is dark at once', async () => (await ground().catch(() => '')) === dark);
  await until('the page misses its scripts', () => takeIncidents().length > 0);
  await page.unroute('**/*.js');
  await page.reload();
  await themes.getByText('System').click();
  await until('it is light', async () => (await ground()) === light);
  await page.emulateMedia({ colorScheme: 'dark' });
  await until('it follows the system', async () => (await ground()) === dark);
});
