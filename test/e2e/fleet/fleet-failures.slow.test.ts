/** What a person sees when something of the fleet fails, one kind of failure after the other. */
import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { card, connection, openDashboard, useBrowser } from '../../support/browser/browser.ts';
import { invite } from '../../support/daemon/invite-person.ts';
import { SkipClock } from '../../support/house/skip-clock.ts';
import { openShell } from '../../support/terminals/terminal-view.ts';
import { startTwoHosts } from '../../support/fleet/two-hosts.ts';
import { until } from '../../support/house/until.ts';

useBrowser();

const WIDE = { viewport: { width: 1440, height: 900 } };

async function closeSession(page: Page, name: string, session: string): Promise<void> {
  const label = `Close session ${session}`;
  await card(page, name).getByRole('button', { name: label }).click();
  const dialog = page.getByRole('dialog', { name: `${label}?` });
  await dialog.getByRole('button', { name: 'Close session' }).click();
}

it('FW22 without the fleet the own work can be used, and that of others stays as of then', async () => {
  await using hosts = await startTwoHosts();
  const { alpha, build } = hosts;
  await openShell(alpha.api, 'web', alpha.world.taskDir('web'));
  await openShell(build.api, 'db', build.world.taskDir('db'));
  await using page = await openDashboard(alpha.api, WIDE);
  const other = card(page, 'db on build-1');
  await other.waitFor();
  hosts.cut(alpha);
  await page.getByText('Not connected to the fleet').first().waitFor();
  await until('the other one cannot be used', async () =>
    other.getByRole('button', { name: 'Close session db' }).isDisabled(),
  );
  expect(await connection(page, 'Live').count()).toBe(1);
  await closeSession(page, 'web', 'web');
  await card(page, 'web').waitFor({ state: 'detached' });
  await other.waitFor();
  hosts.heal(alpha);
  await until('the other one can be used', async () =>
    other.getByRole('button', { name: 'Close session db' }).isEnabled(),
  );
});

it('FW9 the page of any other host works without the one that is gone', async () => {
  await using hosts = await startTwoHosts();
  const { alpha, build } = hosts;
  await openShell(alpha.api, 'web', alpha.world.taskDir('web'));
  await openShell(build.api, 'db', build.world.taskDir('db'));
  await using page = await openDashboard(build.api, WIDE);
  await card(page, 'web on alpha').waitFor();
  await alpha.daemon.close();
  await until('what was there cannot be used', async () =>
    card(page, 'web on alpha').getByRole('button', { name: 'Close session web' }).isDisabled(),
  );
  await closeSession(page, 'db', 'db');
  await card(page, 'db').waitFor({ state: 'detached' });
});

it('FW23 an action whose answer did not come may have been done, and the page says so', async () => {
  const clock = new SkipClock();
  await using hosts = await startTwoHosts('owner', clock);
  const { alpha, build } = hosts;
  await openShell(build.api, 'db', build.world.taskDir('db'));
  await using page = await openDashboard(alpha.api, WIDE);
  await card(page, 'db on build-1').getByRole('button', { name: 'Close session db' }).waitFor();
  const asked = page.waitForRequest((request) => request.method() === 'DELETE');
  hosts.hold();
  await closeSession(page, 'db on build-1', 'db');
  await asked;
  await until('the answer is overdue', async () => {
    clock.skip(5_000);
    return (await page.getByText('may have been done').count()) > 0;
  });
  hosts.heal();
});

it('FW24 the page of a host that is not in the fleet says so', async () => {
  await using hosts = await startTwoHosts();
  await using page = await openDashboard(hosts.alpha.api, WIDE);
  await page.goto(`${hosts.alpha.api.url}/hosts/nowhere/`);
  await page.getByRole('heading', { name: 'No host of this fleet is named nowhere' }).waitFor();
  expect(await page.locator('[class*="skeleton"]').count()).toBe(0);
});

it('FW9 FW10 no switch, menu, key or field of an unreachable host acts, and nothing loads for ever', async () => {
  await using hosts = await startTwoHosts();
  const { alpha, build } = hosts;
  await openShell(build.api, 'db', build.world.taskDir('db'));
  await invite(build.api, 'Ada', 'viewer');
  await using page = await openDashboard(alpha.api, WIDE);
  await until('a copy', () => hosts.hasCopy('/api/sessions', '"db"'));
  await page.goto(`${alpha.api.url}/hosts/build-1/people`);
  await connection(page, 'Live').waitFor();
  const role = page.getByRole('combobox', { name: 'Role of Ada' });
  await until('the role can be set', async () => (await role.count()) === 1 && role.isEnabled());
  hosts.cut();
  await until('it cannot be set', async () => role.isDisabled());
  await page.keyboard.press('Control+k');
  await page.keyboard.type('start a loop');
  const found = page.getByRole('listbox', { name: 'Found' });
  // Empty, and so not drawn.
  await found.waitFor({ state: 'attached' });
  expect(await found.getByText('Start a loop').count()).toBe(0);
  await page.keyboard.press('Escape');

  await page.goto(`${alpha.api.url}/hosts/build-1/`);
  const elsewhere = page.getByRole('region', { name: /^Elsewhere on this machine/ });
  await elsewhere.waitFor();
  await elsewhere.getByText('Loading…').waitFor({ state: 'detached' });
  await card(page, 'db').getByText('No screen was copied.').waitFor({ state: 'attached' });
});
