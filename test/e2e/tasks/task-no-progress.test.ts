/** A task without progress on its page: the limit in the dialog, and what a person sees and does. */
import { expect, it } from 'vitest';
import { openDashboard, useBrowser } from '../../support/browser/browser.ts';
import { scanAccessibility } from '../../support/browser/scan-accessibility.ts';
import { script, TaskHome } from '../../support/tasks/task-home.ts';
import { openTasks } from '../../support/tasks/task-pages.ts';
import { World } from '../../support/daemon/world.ts';

useBrowser();

it('TK60 the dialog takes the turns without progress, and the page says why the task pauses', async () => {
  await using world = new World();
  const { api } = await world.start();
  const home = new TaskHome(world, api);
  await using page = await openDashboard(api);
  await openTasks(page);
  await page.keyboard.press('n');
  const dialog = page.getByRole('dialog');
  const steps = ['turn 1 say I look at one part.', 'turn 2 say I look at another part.'];
  await dialog.getByLabel('Description', { exact: true }).fill(script(...steps));
  await dialog.getByRole('combobox', { name: 'Project directory' }).fill(home.repository);
  await dialog.getByText('More options').click();
  await dialog.getByText('Empty = main').waitFor();
  const turns = dialog.getByLabel('Unchanged turns');
  await turns.fill('1001');
  await dialog.getByRole('button', { name: 'Create task' }).click();
  await dialog.locator('[aria-invalid=true]').waitFor();
  expect(await turns.getAttribute('aria-invalid')).toBe('true');
  await turns.fill('1');
  expect(await scanAccessibility(page)).toEqual([]);
  await dialog.getByRole('button', { name: 'Create task' }).click();
  await page.getByRole('heading', { level: 1, name: 'greet-by-name' }).waitFor();
  await page.getByText('No progress').first().waitFor();
  await page
    .getByText(/changed no file and no commit/)
    .first()
    .waitFor();
  expect(await scanAccessibility(page)).toEqual([]);
  const task = await home.get('greet-by-name');
  expect(task).toMatchObject({ reason: 'no_progress', iterations: 2 });
});
