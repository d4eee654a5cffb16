/** A host that cannot be reached: its work stays in sight, as old as it is, and cannot be used. */
import { expect, it } from 'vitest';
import { card, connection, openDashboard, useBrowser } from '../../support/browser/browser.ts';
import { scanAccessibility } from '../../support/browser/scan-accessibility.ts';
import { openShell } from '../../support/terminals/terminal-view.ts';
import { startTwoHosts } from '../../support/fleet/two-hosts.ts';
import { until } from '../../support/house/until.ts';

useBrowser();

const WIDE = { viewport: { width: 1440, height: 900 } };

it('FW9 FW10 a host that is cut off is shown as of then, cannot be used, and comes back', async () => {
  await using hosts = await startTwoHosts();
  const { alpha, build } = hosts;
  await openShell(alpha.api, 'web', alpha.world.taskDir('web'));
  await openShell(build.api, 'db', build.world.taskDir('db'));
  await using page = await openDashboard(alpha.api, WIDE);
  const other = card(page, 'db on build-1');
  const close = other.getByRole('button', { name: 'Close session db' });
  await close.waitFor();
  await until('a copy', () => hosts.hasCopy('/api/sessions', '"db"'));
  hosts.cut();
  await until('it cannot be used', async () => close.isDisabled());
  expect(
    await card(page, 'web').getByRole('button', { name: 'Close session web' }).isDisabled(),
  ).toBe(false);
  await page.getByText(/build-1 is unreachable since \d\d:\d\d\..*shown as of/s).waitFor();
  expect(await scanAccessibility(page)).toEqual([]);
  await page.setViewportSize(WIDE.viewport);

  // A page that is opened only now has the copies; what the person may do there is not known.
  const usable = page.getByRole('article').getByRole('button', { disabled: false });
  await page.reload();
  await other.waitFor();
  expect(await other.getByRole('button', { disabled: false }).count()).toBe(0);
  await page.goto(`${alpha.api.url}/hosts/build-1/`);
  await page.getByText(/build-1 is unreachable since \d\d:\d\d, data as of \d\d:\d\d/).waitFor();
  await card(page, 'db').waitFor();
  expect(await usable.count()).toBe(0);
  expect(await connection(page, 'Live').or(connection(page, 'Polling')).count()).toBe(0);
  expect(await scanAccessibility(page)).toEqual([]);
  await page.setViewportSize(WIDE.viewport);

  hosts.heal();
  await connection(page, 'Live').waitFor();
  const there = card(page, 'db').getByRole('button', { name: 'Close session db' });
  await until('it can be used', async () => (await there.count()) === 1 && there.isEnabled());
});
