/** What new worktrees of a project get, set on the page. */
import { expect, it } from 'vitest';
import { openDashboard, useBrowser } from '../../support/browser/browser.ts';
import { join as joinAs } from '../../support/daemon/invite-person.ts';
import { scanAccessibility } from '../../support/browser/scan-accessibility.ts';
import { TaskHome } from '../../support/tasks/task-home.ts';
import { World } from '../../support/daemon/world.ts';

useBrowser();

it('WT66 a setup is written, refused with its field, changed and removed; a viewer reads it', async () => {
  await using world = new World();
  const { api } = await world.start();
  const { repository } = new TaskHome(world, api);
  await using page = await openDashboard(api);
  await page.getByRole('link', { name: 'Tasks', exact: true }).click();
  await page.getByRole('link', { name: 'Setups', exact: true }).click();
  await page.getByRole('heading', { name: 'No setups yet' }).waitFor();
  expect(await scanAccessibility(page)).toEqual([]);
  await page.keyboard.press('n');
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('combobox', { name: 'Project' }).fill(repository);
  await dialog.getByLabel('Files to copy').fill('../secret');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await dialog.getByText(/must be a path below the project/).waitFor();
  await dialog.getByLabel('Files to copy').fill('.env\nconfig/local.json');
  await dialog.getByLabel('Folders to share').fill('node_modules/');
  await dialog.getByLabel('Setup command').fill('npm ci');
  expect(await scanAccessibility(page)).toEqual([]);
  await dialog.getByRole('button', { name: 'Save' }).click();
  const card = page.getByRole('article', { name: 'project' });
  await card.getByText('.env, config/local.json').waitFor();
  await card.getByText('node_modules', { exact: true }).waitFor();
  expect(await scanAccessibility(page)).toEqual([]);

  await page.getByRole('button', { name: 'Edit the setup of project' }).click();
  expect(await dialog.getByLabel('Files to copy').inputValue()).toBe('.env\nconfig/local.json');
  await dialog.getByLabel('Teardown command').fill('docker compose down');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await card.getByText('docker compose down').waitFor();
  const { body } = await api.get('/api/projects/setups');
  expect(body['setups']).toMatchObject([
    { copy: ['.env', 'config/local.json'], share: ['node_modules'], setup: 'npm ci', minutes: 10 },
  ]);

  const { api: viewer } = await joinAs(api, 'Val', 'viewer');
  await using theirs = await openDashboard(viewer);
  await theirs.goto(`${api.url}/projects`);
  await theirs.getByRole('article', { name: 'project' }).waitFor();
  expect(await theirs.getByRole('button', { name: /setup/i }).count()).toBe(0);

  await page.getByRole('button', { name: 'Remove the setup of project' }).click();
  await dialog.getByRole('button', { name: 'Remove' }).click();
  await card.waitFor({ state: 'detached' });
});
