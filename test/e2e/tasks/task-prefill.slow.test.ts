/** The dialog of a new task, filled in by a task or by a link. */
import type { Locator, Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { connection, openDashboard, useBrowser } from '../../support/browser/browser.ts';
import { join } from '../../support/daemon/invite-person.ts';
import { scanAccessibility } from '../../support/browser/scan-accessibility.ts';
import { TaskHome } from '../../support/tasks/task-home.ts';
import { openTask, openTasks, takeFromMenu } from '../../support/tasks/task-pages.ts';
import { World } from '../../support/daemon/world.ts';

useBrowser();

const LINK_NOTE = 'Filled in by a link. Check it before you create it.';

function newTask(page: Page): Locator {
  return page.getByRole('dialog', { name: 'New task' });
}

function description(page: Page): Locator {
  return newTask(page).getByLabel('Description', { exact: true });
}

function directory(page: Page): Locator {
  return newTask(page).getByRole('combobox', { name: 'Project directory' });
}

/** Whether the description of the dialog has the focus, waited for. */
async function focused(page: Page): Promise<void> {
  await description(page).and(page.locator(':focus')).waitFor();
}

async function follow(page: Page, query: string): Promise<void> {
  await page.goto(`${new URL(page.url()).origin}/tasks?${query}`);
  await connection(page, 'Live').waitFor();
}

async function names(home: TaskHome): Promise<string[]> {
  const { body } = await home.api.get('/api/v1/tasks?sort_by=task_name&sort_order=asc');
  return (body as unknown as { task_name: string }[]).map(({ task_name: name }) => name);
}

it('TA29, TA31 a clone is a filled form: changed, then created, and the draft stays', async () => {
  await using world = new World();
  const { api } = await world.start();
  const home = new TaskHome(world, api);
  const gates = [{ name: 'greets', command: 'test -f greet.txt' }];
  await home.create('worker', {
    description: 'Greet twice.',
    end_criteria: 'It greets.',
    project_context: 'A shop.',
    permission_mode: 'bypassPermissions',
    max_cost_usd: 5,
    priority: 7,
    gates,
  });
  await home.create('worker_copy');
  await using page = await openDashboard(api);
  await openTasks(page);
  await page.keyboard.press('n');
  await description(page).fill('My draft.');
  await newTask(page).getByRole('button', { name: 'Cancel' }).click();
  await openTask(page, 'worker');
  await takeFromMenu(page, 'Clone…');
  await newTask(page).getByText('Filled in from worker.').waitFor();
  await focused(page);
  expect(await description(page).inputValue()).toBe('Greet twice.');
  expect(await directory(page).inputValue()).toBe(home.repository);
  const fold = newTask(page).locator('details');
  expect(await fold.getAttribute('open')).toBeNull();
  await fold
    .getByText(/^Full access \(no prompts\) · Gates: test -f greet.txt · Done when: It greets\./)
    .waitFor();
  await newTask(page).getByText('The agent can do anything').waitFor();
  expect(await scanAccessibility(page)).toEqual([]);
  expect(await names(home)).toEqual(['worker', 'worker_copy']);
  await newTask(page).getByText('More options').click();
  const name = newTask(page).getByLabel('Name', { exact: true });
  expect(await name.inputValue()).toBe('worker_copy_1');
  await name.fill('another');
  await newTask(page).getByRole('switch', { name: 'Start now' }).click();
  await newTask(page).getByRole('button', { name: 'Create task' }).click();
  await page.getByRole('heading', { level: 1, name: 'another' }).waitFor();
  await page.getByText('Not started yet').waitFor();
  expect(await names(home)).toEqual(['another', 'worker', 'worker_copy']);
  expect(await home.get('another')).toMatchObject({
    description: 'Greet twice.',
    root_folder: home.repository,
    project_context: 'A shop.',
    permission_mode: 'bypassPermissions',
    priority: 7,
    end_criteria_config: { criteria: 'It greets.', max_cost_usd: 5, gates },
  });
  await openTasks(page);
  await page.keyboard.press('n');
  expect(await description(page).inputValue()).toBe('My draft.');
});

it('TA29 a task that was deleted meanwhile is named, and the form of its copy stays open', async () => {
  await using world = new World();
  const { api } = await world.start();
  const home = new TaskHome(world, api);
  await home.create('worker');
  await using page = await openDashboard(api);
  await openTask(page, 'worker');
  const read = '**/api/v1/tasks/by-name/worker';
  await page.route(read, (route) => route.continue({ url: `${route.request().url()}-gone` }));
  await takeFromMenu(page, 'Clone…');
  await page.getByText('worker was deleted, so it cannot be cloned.').waitFor();
  expect(await newTask(page).count()).toBe(0);
  await page.unroute(read);
  await takeFromMenu(page, 'Clone…');
  await focused(page);
  await api.send('DELETE', '/api/v1/tasks/by-name/worker');
  await page.locator('h1', { hasText: 'This task was deleted' }).waitFor();
  await newTask(page).getByRole('button', { name: 'Create task' }).click();
  await page.getByRole('heading', { level: 1, name: 'worker_copy' }).waitFor();
});

it('TA30, TA31 a link fills in the dialog, creates nothing, and leaves the address', async () => {
  await using world = new World();
  const { api } = await world.start();
  const home = new TaskHome(world, api);
  await using page = await openDashboard(api);
  await openTasks(page);
  await page.keyboard.press('n');
  await newTask(page).getByText('More options').click();
  await newTask(page).getByLabel('Permissions').selectOption('bypassPermissions');
  await newTask(page).getByRole('button', { name: 'Cancel' }).click();
  const query = new URLSearchParams({
    new: '',
    layout: 'board',
    name: 'fix-login',
    description: 'Limit the login <b>now</b>.',
    directory: home.repository,
    base_branch: 'main',
    permission_mode: 'bypassPermissions',
    test_commands: 'touch /tmp/hostile',
  }).toString();
  await follow(page, query);
  await newTask(page).getByText(LINK_NOTE).waitFor();
  await focused(page);
  expect(await description(page).inputValue()).toBe('Limit the login <b>now</b>.');
  expect(await directory(page).inputValue()).toBe(home.repository);
  const summary = newTask(page).locator('details .summary');
  expect(await summary.innerText()).toBe('name fix-login · from main');
  expect(await scanAccessibility(page)).toEqual([]);
  await page.keyboard.press('Escape');
  await newTask(page).waitFor({ state: 'detached' });
  await page.waitForURL((url) => !url.searchParams.has('new'));
  expect(new URL(page.url()).searchParams.get('layout')).toBe('board');
  expect(page.url()).not.toContain('fix-login');
  expect(await names(home)).toEqual([]);

  await follow(page, query);
  await focused(page);
  await newTask(page).getByText('More options').click();
  await newTask(page).getByRole('switch', { name: 'Start now' }).click();
  await newTask(page).getByRole('button', { name: 'Create task' }).click();
  await page.getByRole('heading', { level: 1, name: 'fix-login' }).waitFor();
  expect((await home.get('fix-login')).permission_mode).toBe('acceptEdits');
  // Back leads to the list, not to the link.
  await page.goBack();
  await page.getByRole('heading', { level: 1, name: 'Tasks' }).waitFor();
  expect(await newTask(page).count()).toBe(0);
  await page.keyboard.press('n');
  expect(await summary.innerText()).toBe('Full access (no prompts)');
  expect(await newTask(page).getByText(LINK_NOTE).count()).toBe(0);
});

it('TA30 a link opens no dialog for a viewer', async () => {
  await using world = new World();
  const { api } = await world.start();
  const home = new TaskHome(world, api);
  await home.create('worker');
  const { api: noor } = await join(api, 'Noor', 'viewer');
  await using page = await openDashboard(noor);
  await follow(page, 'new&name=fix-login&description=Greet.');
  await page.getByRole('link', { name: 'worker', exact: true }).waitFor();
  expect(await page.getByRole('dialog').count()).toBe(0);
});
