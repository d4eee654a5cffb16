/** The work of all hosts on one page: what is where, and what can be done from here. */
import { expect, it } from 'vitest';
import { card, connection, openDashboard, useBrowser } from '../../support/browser/browser.ts';
import { scanAccessibility } from '../../support/browser/scan-accessibility.ts';
import { openShell, typeInto } from '../../support/terminals/terminal-view.ts';
import { startTwoHosts } from '../../support/fleet/two-hosts.ts';
import { until } from '../../support/house/until.ts';

useBrowser();

const WIDE = { viewport: { width: 1440, height: 900 } };

it('FW3 FW5 FW6 the overview has the work of both hosts, and a filter in the address', async () => {
  await using hosts = await startTwoHosts();
  const { alpha, build } = hosts;
  await openShell(alpha.api, 'web', alpha.world.taskDir('web'));
  await openShell(build.api, 'web', build.world.taskDir('web'));
  await using page = await openDashboard(alpha.api, WIDE);
  const own = card(page, 'web');
  const other = card(page, 'web on build-1');
  await own.waitFor();
  await other.getByText('build-1', { exact: true }).waitFor();
  expect(await own.getByText('build-1', { exact: true }).count()).toBe(0);

  // Its screen is live.
  await typeInto(build.api, 'web', 'echo from-$((40 + 2))');
  await other.locator('[data-thumbnail]').getByText('from-42').first().waitFor();
  await page.getByText('2 sessions').first().waitFor({ state: 'attached' });

  const filter = page.getByRole('combobox', { name: 'Host' });
  await filter.selectOption('build-1');
  await own.waitFor({ state: 'detached' });
  await until('the address', () => page.url().endsWith('?host=build-1'));
  await page.reload();
  await other.waitFor();
  expect(await own.count()).toBe(0);
  await filter.selectOption({ label: 'This host (alpha)' });
  await own.waitFor();
  await other.waitFor({ state: 'detached' });
  await filter.selectOption('');
  await other.waitFor();
  expect(await scanAccessibility(page)).toEqual([]);
});

it('FW1 FW2 FW4 a tile of another host opens its page there, which is named at all times', async () => {
  await using hosts = await startTwoHosts();
  const { alpha, build } = hosts;
  await openShell(build.api, 'web', build.world.taskDir('web'));
  await typeInto(build.api, 'web', 'echo from-$((40 + 2))');
  await using page = await openDashboard(alpha.api, WIDE);
  await page.getByRole('link', { name: 'web on build-1' }).click();
  await page.waitForURL('**/hosts/build-1/sessions/web');
  await page.getByRole('heading', { level: 1, name: 'web' }).waitFor();
  await connection(page, 'Live').waitFor();
  await page.getByText('from-42').first().waitFor();
  expect(await page.title()).toContain('build-1');
  const badge = page.getByRole('banner').locator('[data-page-host]');
  expect(await badge.innerText()).toContain('build-1');
  expect(await page.locator('link[rel="manifest"]').count()).toBe(0);

  // Every link of the page stays on that host, also by keyboard.
  await page.keyboard.press('g');
  await page.keyboard.press('t');
  await page.waitForURL('**/hosts/build-1/tasks');
  const strays = await page
    .getByRole('navigation', { name: 'Pages' })
    .locator('a[href^="/"]')
    .evaluateAll((links) =>
      links.map((link) => (link as unknown as { pathname: string }).pathname),
    );
  const own = strays.filter((path) => !path.startsWith('/hosts/build-1'));
  // The list of hosts names this one.
  expect(own).toEqual(['/tasks']);

  // The menu leads to the same kind of page.
  await badge.click();
  const menu = page.getByRole('navigation', { name: 'Hosts' });
  await menu.getByText('This host').waitFor();
  await menu.getByText('Reachable').waitFor();
  await page.keyboard.press('Escape');
  await menu.waitFor({ state: 'hidden' });
  await page.keyboard.press('Control+k');
  await page.keyboard.type('go host alpha');
  await page.keyboard.press('Enter');
  await page.waitForURL((url) => url.pathname === '/tasks');
  await connection(page, 'Live').waitFor();
  expect(await badge.innerText()).toContain('alpha');
});
