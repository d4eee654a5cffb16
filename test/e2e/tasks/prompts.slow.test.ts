/** The library of prompts: written, found, used for a task, deleted. */
import { expect, it } from 'vitest';
import { openDashboard, useBrowser } from '../../support/browser/browser.ts';
import { scanAccessibility } from '../../support/browser/scan-accessibility.ts';
import { TaskHome } from '../../support/tasks/task-home.ts';
import { World } from '../../support/daemon/world.ts';

useBrowser();

it('PR1, PR2, PR3 a prompt is written, found, changed, used for a task and deleted', async () => {
  await using world = new World();
  const { api } = await world.start();
  const home = new TaskHome(world, api);
  const write = async (title: string, content: string, category: string) =>
    api.send('POST', '/api/v1/prompts', { title, content, category });
  await write('Release notes', 'Write release notes.', 'release');
  await using page = await openDashboard(api);
  await page.getByRole('link', { name: 'Tasks', exact: true }).click();
  await page.getByRole('link', { name: 'Prompts', exact: true }).click();
  await page.getByRole('article', { name: 'Release notes' }).waitFor();
  await page.keyboard.press('n');
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('button', { name: 'Create prompt' }).click();
  await dialog.getByText('Enter a title.').waitFor();
  await dialog.getByLabel('Title').fill('Greet');
  await dialog.getByLabel('Text').fill('Greet by name <i>kindly</i>.');
  await dialog.getByLabel('Category').fill('habits');
  expect(await scanAccessibility(page)).toEqual([]);
  await dialog.getByRole('button', { name: 'Create prompt' }).click();
  const greet = page.getByRole('article', { name: 'Greet' });
  await greet.getByText('Greet by name <i>kindly</i>.').waitFor();
  await greet.getByText('Not used yet').waitFor();
  expect(await scanAccessibility(page)).toEqual([]);

  await page.getByLabel('Category').selectOption('habits');
  await page.getByRole('article', { name: 'Release notes' }).waitFor({ state: 'detached' });
  await page.reload();
  await greet.waitFor();
  expect(await page.getByRole('article').count()).toBe(1);
  await page.getByRole('button', { name: 'Edit Greet' }).click();
  await dialog.getByLabel('Title').fill('Greet kindly');
  await dialog.getByRole('button', { name: 'Save' }).click();

  await page.getByRole('button', { name: 'New task from this: Greet kindly' }).click();
  expect(await dialog.getByLabel('Description', { exact: true }).inputValue()).toMatch('kindly');
  await dialog.getByRole('combobox', { name: 'Project directory' }).fill(home.repository);
  await dialog.getByText('More options').click();
  await dialog.getByRole('switch', { name: 'Start now' }).click();
  await dialog.getByRole('button', { name: 'Create task' }).click();
  await page.getByRole('heading', { level: 1, name: 'greet-by-name-i-kindly' }).waitFor();
  await page.goBack();
  const card = page.getByRole('article', { name: 'Greet kindly' });
  await card.getByText('Used 1 time').waitFor();
  await page.getByRole('button', { name: 'Delete Greet kindly' }).click();
  await dialog.getByRole('button', { name: 'Delete' }).click();
  await card.waitFor({ state: 'detached' });
  const { body } = await api.get('/api/v1/prompts');
  expect(body).toMatchObject([{ title: 'Release notes' }]);
});
