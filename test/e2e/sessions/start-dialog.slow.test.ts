/** Errors appear where they can be fixed, and nothing that was typed is lost. */
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Locator, Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { packageRoot } from '../../../server/lib/package-root.ts';
import { openDashboard, useBrowser } from '../../support/browser/browser.ts';
import { startWaitingLoop } from '../../support/auto/waiting-loop.ts';
import { World } from '../../support/daemon/world.ts';

useBrowser();

function startDialog(page: Page): Locator {
  return page.getByRole('dialog', { name: 'Start a loop' });
}

async function fill(dialog: Locator, fields: Record<string, string>): Promise<void> {
  for (const [label, text] of Object.entries(fields)) {
    await dialog.getByLabel(label, { exact: true }).fill(text);
  }
}

/** Submits the form and waits until a field is refused with that text; returns the field. */
async function refused(dialog: Locator, text: string): Promise<{ field: string; value: string }> {
  await dialog.getByRole('button', { name: 'Start loop' }).click();
  const note = dialog.locator('p').filter({ hasText: text });
  await note.waitFor();
  // The field that the note describes has the focus and is marked invalid.
  const id = (await note.getAttribute('id')) ?? '';
  const field = dialog.locator(`[aria-describedby="${id}"][aria-invalid=true]:focus`);
  await field.waitFor();
  const own = (await field.getAttribute('id')) ?? '';
  return {
    field: await dialog.locator(`label[for="${own}"]`).innerText(),
    value: await field.inputValue(),
  };
}

async function openDialog(page: Page, taskDir: string): Promise<Locator> {
  await page.getByRole('banner').getByRole('button', { name: 'Start a loop' }).click();
  const dialog = startDialog(page);
  await fill(dialog, {
    'Task directory': taskDir,
    'Max iterations': '7',
    'Time limit (minutes)': '8',
  });
  return dialog;
}

async function limits(dialog: Locator): Promise<string[]> {
  return Promise.all(
    ['Max iterations', 'Time limit (minutes)'].map((label) =>
      dialog.getByLabel(label).inputValue(),
    ),
  );
}

it('PG4, SE8 each wrong directory is refused at its field, and nothing typed is lost', async () => {
  await using world = new World();
  const { api } = await world.start();
  writeFileSync(join(world.root, 'tasks', 'file'), '');
  await using page = await openDashboard(api);
  const dialog = await openDialog(page, '');
  await fill(dialog, { 'Session name': 'one' });
  const wrong: [path: string, text: string][] = [
    [' ', 'Enter a task directory.'],
    ['tasks/one', 'must start with /'],
    [join(world.root, 'tasks', 'none'), 'none is not a directory'],
    [join(world.root, 'tasks', 'file'), 'file is not a directory'],
    ['/etc', '/etc is outside the roots'],
  ];
  for (const [path, text] of wrong) {
    await fill(dialog, { 'Task directory': path });
    const answer = await refused(dialog, text);
    expect(answer).toEqual({ field: 'Task directory', value: path });
    expect(await limits(dialog)).toEqual(['7', '8']);
  }
  expect(await dialog.getByLabel('Session name').inputValue()).toBe('one');
  expect((await api.get('/api/sessions')).body['sessions']).toEqual([]);
});

it('PG4, LP2 a directory that a shell would expand is refused at its field, and nothing runs', async () => {
  await using world = new World();
  const { api } = await world.start();
  await using page = await openDashboard(api);
  const taskDir = world.taskDir('$(touch pwned)');
  const dialog = await openDialog(page, taskDir);
  const answer = await refused(dialog, 'it is typed into a shell');
  expect(answer).toEqual({ field: 'Task directory', value: taskDir });
  expect(existsSync(join(taskDir, 'pwned'))).toBe(false);
  expect(await limits(dialog)).toEqual(['7', '8']);
  // After the correction the start continues.
  await fill(dialog, { 'Task directory': world.taskDir('good') });
  await dialog.getByRole('button', { name: 'Start loop' }).click();
  await page.getByRole('heading', { level: 1 }).waitFor();
  expect(await api.event('auto.started')).toMatchObject({ data: { max_iterations: 7 } });
});

it('PG4, LP4 a directory that has a loop, and a name that is taken, are shown at their fields', async () => {
  await using world = new World();
  const { api } = await world.start();
  await startWaitingLoop(world, api);
  await using page = await openDashboard(api);
  const dialog = await openDialog(page, world.taskDir('live'));
  // A suggested name is free; a typed one may not be.
  expect(await dialog.getByLabel('Session name').inputValue()).toBe('live-2');
  await fill(dialog, { 'Session name': 'live' });
  const taken = await refused(dialog, 'A session named live already exists');
  expect(taken).toEqual({ field: 'Session name', value: 'live' });
  await fill(dialog, { 'Session name': 'other' });
  const busy = await refused(dialog, 'Session live already works on it');
  expect(busy).toEqual({ field: 'Task directory', value: world.taskDir('live') });
  expect(await limits(dialog)).toEqual(['7', '8']);
});

it('PG4 limits and names out of bounds are shown at their fields', async () => {
  await using world = new World();
  const { api } = await world.start();
  await using page = await openDashboard(api);
  const dialog = await openDialog(page, world.taskDir('one'));
  await fill(dialog, { 'Session name': 'not a name' });
  const misnamed = await refused(dialog, 'use 1 to 32 letters');
  expect(misnamed).toEqual({ field: 'Session name', value: 'not a name' });
  await fill(dialog, { 'Session name': 'one' });
  const wrong: [field: string, value: string, text: string][] = [
    ['Max iterations', '', 'A whole number'],
    ['Max iterations', '1001', 'from 1 to 1000'],
    ['Time limit (minutes)', '0', 'from 1 to 10080'],
  ];
  for (const [field, value, text] of wrong) {
    await fill(dialog, { 'Max iterations': '7', 'Time limit (minutes)': '8', [field]: value });
    expect(await refused(dialog, text)).toEqual({ field, value });
  }
});

it('PG4, PG7 Escape closes the dialog and gives the focus back to what opened it', async () => {
  await using world = new World();
  const { api } = await world.start();
  await using page = await openDashboard(api);
  const opener = page.getByRole('banner').getByRole('button', { name: 'Start a loop' });
  await opener.focus();
  await page.keyboard.press('Enter');
  await startDialog(page).waitFor();
  await page.keyboard.press('Escape');
  await startDialog(page).waitFor({ state: 'detached' });
  await opener.and(page.locator(':focus')).waitFor();
});

it('PG4, PG7 a loop is started by keyboard alone, an error on the way included', async () => {
  await using world = new World();
  const { api } = await world.start();
  const taskDir = world.taskDir('one');
  await using page = await openDashboard(api);
  await page.keyboard.press('n');
  await startDialog(page).getByLabel('Task directory').and(page.locator(':focus')).waitFor();
  await page.keyboard.type(`${taskDir}x`);
  await page.keyboard.press('Enter');
  await startDialog(page).getByText('is not a directory').waitFor();
  await startDialog(page).getByLabel('Task directory').and(page.locator(':focus')).waitFor();
  await page.keyboard.press('End');
  await page.keyboard.press('Backspace');
  for (const label of [
    'Collapse',
    'Show hidden',
    'Session',
    'Session name',
    'Session directory',
    'Default',
    'Max iterations',
  ]) {
    await page.keyboard.press('Tab');
    const control = page.getByLabel(label, { exact: true });
    const button = page.getByRole('button', { name: label, exact: true });
    await control.or(button).and(page.locator(':focus')).waitFor();
  }
  await page.keyboard.type('9');
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { level: 1, name: 'one' }).waitFor();
  expect(await api.event('auto.started')).toMatchObject({ data: { max_iterations: 9 } });
});

it('SD8, SD9 a task is picked by arrows, filter, Enter and Backspace, and started on', async () => {
  await using world = new World();
  const { api } = await world.start();
  const task = world.taskDir('shop/AiTasks/discount');
  writeFileSync(join(task, '.target.md'), '# Discount\n');
  for (const name of ['blog', 'shop/.git', 'shop/src']) world.taskDir(name);
  const root = join(world.root, 'tasks');
  await using page = await openDashboard(api);
  await page.keyboard.press('n');
  const dialog = startDialog(page);
  const field = dialog.getByLabel('Task directory', { exact: true });
  const option = (name: RegExp) => dialog.getByRole('option', { name });
  const goTo = async (path: string) => {
    await page.keyboard.press('Enter');
    await expect.poll(async () => field.inputValue()).toBe(path);
  };
  await option(/tasks$/).waitFor();
  await page.keyboard.press('ArrowDown');
  await goTo(`${root}/`);
  await option(/shop.*has tasks.*repository/).waitFor();
  await page.keyboard.type('blog/');
  await dialog.getByText('No directories here').waitFor();
  await page.keyboard.press('Backspace');
  await expect.poll(async () => field.inputValue()).toBe(`${root}/`);
  await page.keyboard.type('sho');
  await option(/blog/).waitFor({ state: 'detached' });
  await page.keyboard.press('ArrowDown');
  await goTo(`${root}/shop/`);
  await option(/AiTasks/).waitFor();
  await page.keyboard.press('ArrowDown');
  await goTo(`${root}/shop/AiTasks/`);
  await option(/discount.*task/).waitFor();
  await page.keyboard.press('ArrowDown');
  // A task is selected, not opened.
  await goTo(task);
  await dialog.getByText('Task directory · ').waitFor();
  await dialog.getByText(`"/moonview:auto ${task}"`).waitFor();
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { level: 1, name: 'discount' }).waitFor();
  expect((await api.event('auto.started')).data).toMatchObject({ task_dir: task });
});

it('SD10 typed content is restored after Escape, in this tab, until a loop was started with it', async () => {
  await using world = new World();
  const { api } = await world.start();
  await using page = await openDashboard(api);
  const dialog = await openDialog(page, world.taskDir('one'));
  await fill(dialog, { 'Session name': 'mine' });
  await page.keyboard.press('Escape');
  await dialog.waitFor({ state: 'detached' });
  await page.reload();
  await page.getByRole('banner').getByRole('button', { name: 'Start a loop' }).click();
  expect(await dialog.getByLabel('Task directory').inputValue()).toBe(world.taskDir('one'));
  expect(await dialog.getByLabel('Session name').inputValue()).toBe('mine');
  expect(await limits(dialog)).toEqual(['7', '8']);
  // Pressed twice at once, it starts once.
  const start = dialog.getByRole('button', { name: 'Start loop' });
  await start.dblclick();
  await page.getByRole('heading', { level: 1, name: 'mine' }).waitFor();
  expect(await api.events('&types=auto.started')).toHaveLength(1);
  expect(await api.events('&types=session.created')).toHaveLength(1);
  await page.keyboard.press('n');
  await dialog.waitFor();
  expect(await dialog.getByLabel('Task directory').inputValue()).toBe('');
});

it('SD16, LP65 the permissions of a loop are chosen in the dialog and shown on its page', async () => {
  await using world = new World();
  const stand = join(packageRoot(), 'dist/stand-in/main.js');
  world.writeClient('2.1.330 (Claude Code)', `exec "${process.execPath}" "${stand}" "$@"`);
  const { api } = await world.start();
  await using page = await openDashboard(api);
  const signal = { step: 'check', result: 'PASS', next: 'exec' };
  const long = { do: 'step', work_ms: 3_600_000, signal };
  const dialog = await openDialog(page, world.taskDir('one', { steps: [long] }));
  const choice = (name: string) => dialog.getByRole('radio', { name, exact: true });
  await choice('Edit and test').and(page.locator(':checked')).waitFor();
  await dialog.getByText('--permission-mode acceptEdits').waitFor();
  await choice('Ask first').check();
  await dialog.getByText('--permission-mode default').waitFor();
  await dialog.getByText('The agent asks before each edit').waitFor();
  await dialog.getByRole('button', { name: 'Start loop' }).click();
  await page.getByRole('heading', { level: 1, name: 'one' }).waitFor();
  expect(await api.event('auto.started')).toMatchObject({ data: { permissions: 'ask' } });
  const shown = page.locator('dl > div').filter({ hasText: 'Permissions' });
  await shown.getByText('Ask first').waitFor();
});

it('SD16, LP66 an agent that takes no permissions is not offered any', async () => {
  await using world = new World();
  const { api } = await world.start();
  await using page = await openDashboard(api);
  const dialog = await openDialog(page, world.taskDir('one'));
  await dialog.getByText('takes no permissions from Loopwatch').waitFor();
  expect(await dialog.getByRole('radio', { name: 'Ask first' }).count()).toBe(0);
});
