/** The dialog of a new task: two fields, and a fold that says what it contains. */
import type { Locator, Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { openDashboard, useBrowser } from '../../support/browser/browser.ts';
import { scanAccessibility } from '../../support/browser/scan-accessibility.ts';
import { TaskHome } from '../../support/tasks/task-home.ts';
import { openTasks } from '../../support/tasks/task-pages.ts';
import { World } from '../../support/daemon/world.ts';

useBrowser();

async function openDialog(page: Page): Promise<Locator> {
  await openTasks(page);
  await page.keyboard.press('n');
  const dialog = page.getByRole('dialog', { name: 'New task' });
  await dialog.waitFor();
  return dialog;
}

function fold(dialog: Locator): Locator {
  return dialog.locator('details');
}

async function isOpen(dialog: Locator): Promise<boolean> {
  return (await fold(dialog).getAttribute('open')) !== null;
}

/** Whether this control of the dialog has the focus, waited for. */
async function focused(control: Locator): Promise<void> {
  await control.and(control.page().locator(':focus')).waitFor();
}

it('TA26, PG18 two fields and Ctrl-Enter are enough, and the fold is empty', async () => {
  await using world = new World();
  const { api } = await world.start();
  const home = new TaskHome(world, api);
  await using page = await openDashboard(api);
  const dialog = await openDialog(page);
  const shown = dialog.locator('input, select, textarea').filter({ visible: true });
  expect(await shown.count()).toBe(2);
  expect(await fold(dialog).locator('summary').innerText()).toBe('More options');
  expect(await scanAccessibility(page)).toEqual([]);
  // An empty form is refused at its first field.
  await page.keyboard.press('Control+Enter');
  await dialog.getByText('Enter a description.').waitFor();
  expect(await isOpen(dialog)).toBe(false);
  const description = dialog.getByLabel('Description', { exact: true });
  await focused(description);
  await dialog.getByRole('combobox', { name: 'Project directory' }).fill(home.repository);
  await description.fill('Greet by name.');
  expect(await isOpen(dialog)).toBe(false);
  await page.keyboard.press('Control+Enter');
  await page.getByRole('heading', { level: 1, name: 'greet-by-name' }).waitFor();
  const { body } = await api.get('/api/v1/tasks');
  expect(body).toHaveLength(1);
});

it('TA26, TA27 what is folded is said in one line, kept over a reload, and sent', async () => {
  await using world = new World();
  const { api } = await world.start();
  const home = new TaskHome(world, api);
  await using page = await openDashboard(api);
  let dialog = await openDialog(page);
  await dialog.getByLabel('Description', { exact: true }).fill('Greet by name.');
  await dialog.getByText('Its name will be greet-by-name.').waitFor();
  await dialog.getByRole('combobox', { name: 'Project directory' }).fill(home.repository);
  await dialog.getByText('More options').click();
  await dialog.getByRole('button', { name: 'Add a gate' }).click();
  await dialog.getByLabel('Name of gate 1').fill('tests');
  await dialog.getByLabel('Command of gate 1').fill('npm test');
  await dialog.getByLabel('Cost (USD)').fill('5');
  await dialog.getByLabel('Permissions').selectOption('bypassPermissions');
  await dialog.getByRole('switch', { name: 'Start now' }).click();
  expect(await scanAccessibility(page)).toEqual([]);
  await page.reload();
  dialog = await openDialog(page);
  expect(await isOpen(dialog)).toBe(false);
  await dialog
    .getByText('Full access (no prompts) · Gates: npm test · budget $5.00 · not started')
    .waitFor();
  await dialog.getByText('The agent can do anything').waitFor();
  expect(await scanAccessibility(page)).toEqual([]);
  await dialog.getByRole('button', { name: 'Create task' }).click();
  await page.getByRole('heading', { level: 1, name: 'greet-by-name' }).waitFor();
  expect(await home.get('greet-by-name')).toMatchObject({
    status: 'PENDING',
    permission_mode: 'bypassPermissions',
    end_criteria_config: { max_cost_usd: 5 },
  });
});

it('TA27 a refusal of the daemon unfolds its field and gives it the focus', async () => {
  await using world = new World();
  const { api } = await world.start();
  const home = new TaskHome(world, api);
  await using page = await openDashboard(api);
  const dialog = await openDialog(page);
  await dialog.getByLabel('Description', { exact: true }).fill('Greet by name.');
  await dialog.getByRole('combobox', { name: 'Project directory' }).fill(home.repository);
  const fields: [label: string, wrong: string, right: string][] = [
    ['Base branch', 'nowhere', 'main'],
    ['Unchanged turns', '1001', '3'],
    ['Name', 'not a name', 'greeting'],
  ];
  for (const [label, wrong, right] of fields) {
    await dialog.getByText('More options').click();
    const field = dialog.getByLabel(label, { exact: true });
    await field.fill(wrong);
    await dialog.getByText('More options').click();
    expect(await isOpen(dialog)).toBe(false);
    await dialog.getByRole('button', { name: 'Create task' }).click();
    await focused(field);
    expect(await isOpen(dialog)).toBe(true);
    expect(await field.getAttribute('aria-invalid')).toBe('true');
    await field.fill(right);
    await dialog.getByText('More options').click();
  }
  await dialog.getByText('3 unchanged turns · name greeting · from main').waitFor();
});

it('TA27 kept input that is wrong unfolds when the dialog opens, what is only missing does not', async () => {
  await using world = new World();
  const { api } = await world.start();
  await using page = await openDashboard(api);
  let dialog = await openDialog(page);
  await dialog.getByText('More options').click();
  await dialog.getByRole('button', { name: 'Add a gate' }).click();
  await dialog.getByLabel('Command of gate 1').fill('npm test');
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  dialog = await openDialog(page);
  await dialog.getByText('Each gate needs a name and a command.').waitFor();
  expect(await isOpen(dialog)).toBe(true);
  expect(await dialog.locator('[aria-invalid=true]').getAttribute('aria-label')).toBe(
    'Name of gate 1',
  );
  await dialog.getByLabel('Name of gate 1').fill('tests');
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  dialog = await openDialog(page);
  await dialog.getByText('Gates: npm test').waitFor();
  expect(await isOpen(dialog)).toBe(false);
});
