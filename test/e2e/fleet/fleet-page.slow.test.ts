/** The list of hosts, the way between them on a phone, and what a host that is alone shows. */
import { expect, it } from 'vitest';
import { connection, openDashboard, useBrowser } from '../../support/browser/browser.ts';
import { scanAccessibility } from '../../support/browser/scan-accessibility.ts';
import { SharedBranch, SPELLINGS } from '../../support/fleet/shared-branch.ts';
import { startTwoHosts } from '../../support/fleet/two-hosts.ts';
import { SkipClock } from '../../support/house/skip-clock.ts';
import { World } from '../../support/daemon/world.ts';

useBrowser();

/** Longer than a host may be silent. */
const SILENCE_MS = 31_000;
const PHONE = { viewport: { width: 390, height: 844 } };

it('FW11 FW4 hosts are listed with their facts, and under More on a phone', async () => {
  await using hosts = await startTwoHosts();
  await using page = await openDashboard(hosts.alpha.api, PHONE);
  await page.goto(`${hosts.alpha.api.url}/fleet`);
  const other = page.getByRole('listitem', { name: 'build-1' });
  await other.getByText('Reachable').waitFor();
  await other.getByText('Free slots').waitFor();
  await page.getByText('2 hosts, all reachable.').waitFor();
  expect(await scanAccessibility(page)).toEqual([]);
  await page.setViewportSize(PHONE.viewport);
  await page.getByRole('button', { name: 'More' }).click();
  await page
    .getByRole('navigation', { name: 'Pages' })
    .getByRole('link', { name: /build-1/ })
    .click();
  await page.waitForURL('**/hosts/build-1/');
  await connection(page, 'Live').waitFor();
});

it('FW11 a host that is alone shows how to make a fleet, and no menu', async () => {
  await using world = new World();
  const { api } = await world.start();
  await using page = await openDashboard(api, PHONE);
  expect(await page.getByRole('banner').locator('[data-page-host]').count()).toBe(0);
  await page.getByRole('contentinfo').getByRole('link', { name: 'Hosts' }).click();
  await page.getByRole('heading', { name: 'This host is alone' }).waitFor();
  for (const command of ['init --name desk', 'invite build-1', 'join INVITATION']) {
    await page.getByText(`loopwatch fleet ${command}`, { exact: true }).waitFor();
  }
  expect(await scanAccessibility(page)).toEqual([]);
});

it('FW13 a person unknown to another host only watches there, and is who they are at home', async () => {
  await using hosts = await startTwoHosts('home');
  const { alpha, build } = hosts;
  await build.api.openSession('web', build.world.taskDir('web'));
  await using page = await openDashboard(alpha.api, { viewport: { width: 1440, height: 900 } });
  const other = page.getByRole('article', { name: 'web on build-1' });
  await other.waitFor();
  await page.getByRole('button', { name: 'Start a loop' }).first().waitFor();
  expect(await other.getByRole('button').count()).toBe(0);
  await page.goto(`${alpha.api.url}/hosts/build-1/`);
  await page.getByRole('article', { name: 'web' }).waitFor();
  await page.getByRole('contentinfo').getByText('(viewer)').waitFor();
  expect(await page.getByRole('button', { name: 'Start a loop' }).count()).toBe(0);
  await page.goto(`${alpha.api.url}/`);
  await page.getByRole('contentinfo').getByText('(admin)').waitFor();
  await page.getByRole('button', { name: 'Start a loop' }).first().waitFor();
});

it('FW11 FC6 FC9 the claims of all hosts, and an admin releases that of a dead one', async () => {
  const clock = new SkipClock();
  await using hosts = await startTwoHosts('owner', clock);
  const { alpha, build } = hosts;
  const there = new SharedBranch(build, SPELLINGS[0]);
  await there.begin('fix', 'fix-login');
  await there.tasks.until('fix', 'RUNNING');
  await using page = await openDashboard(alpha.api, PHONE);
  await page.goto(`${alpha.api.url}/fleet`);
  const work = 'task fix: fix-login of example.com/team/app';
  const claim = page.getByRole('listitem', { name: work });
  await claim.getByText('build-1').waitFor();
  expect(await claim.getByRole('button').count()).toBe(0);
  hosts.cut(build);
  clock.skip(SILENCE_MS);
  await page.reload();
  await claim.getByRole('button', { name: `Release the claim: ${work}` }).click();
  const dialog = page.getByRole('dialog', { name: 'Is build-1 dead?' });
  expect(await scanAccessibility(page)).toEqual([]);
  await dialog.getByRole('button', { name: 'Release the claim' }).click();
  await page.getByText('No task or run works on a remote branch now.').waitFor();
  const { body } = await alpha.api.get('/api/fleet/claims');
  expect(body).toEqual({ claims: [] });
});
