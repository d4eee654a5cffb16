/** A new task on a host of the fleet, from the form to the page of that host. */
import { expect, it } from 'vitest';
import { openDashboard, useBrowser } from '../../support/browser/browser.ts';
import { scanAccessibility } from '../../support/browser/scan-accessibility.ts';
import { saysRepositories, SharedProject, tasksNamed } from '../../support/tasks/shared-project.ts';
import { startTwoHosts } from '../../support/fleet/two-hosts.ts';

useBrowser();

const WIDE = { viewport: { width: 1440, height: 900 } };

it('FO3 FO10 the form offers the hosts of the fleet, and the task opens there with the reasons', async () => {
  using project = new SharedProject();
  const paths: Record<string, string> = {};
  await using hosts = await startTwoHosts('owner', undefined, (world, name) => {
    paths[name] = project.clone(world, `src/${name}`);
  });
  const { alpha, build } = hosts;
  await saysRepositories(hosts.carried, build);
  await using page = await openDashboard(alpha.api, WIDE);
  await page.goto(`${alpha.api.url}/tasks`);
  await page.getByRole('button', { name: 'New task' }).first().click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Description', { exact: true }).fill('Greet by name.');
  await dialog.getByRole('combobox', { name: 'Project directory' }).fill(paths['alpha'] ?? '');
  await dialog.getByText('More options').click();
  const where = dialog.getByLabel('Where');
  await where.waitFor();
  expect(await where.locator('option').allInnerTexts()).toEqual([
    'This host (alpha)',
    'Any host that fits',
    'build-1',
  ]);
  await where.selectOption('build-1');
  expect(await scanAccessibility(page)).toEqual([]);
  await dialog.getByRole('button', { name: 'Create task' }).click();
  await page.waitForURL('**/hosts/build-1/tasks/greet-by-name');
  await page.getByText('Asked for build-1; chosen by alpha.').waitFor();
  await page.getByText('Not on alpha: another host was named').waitFor();
  const found = await tasksNamed([alpha, build], 'greet-by-name');
  expect(found.map((each) => each.map(({ root_folder }) => root_folder))).toEqual([
    [],
    [paths['build-1']],
  ]);
});
