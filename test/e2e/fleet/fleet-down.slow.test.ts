/** Pages that are opened while the NATS server of the fleet is down. */
import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { card, connection, openDashboard, useBrowser } from '../../support/browser/browser.ts';
import { scanAccessibility } from '../../support/browser/scan-accessibility.ts';
import { ApiClient } from '../../support/daemon/api-client.ts';
import { fleetSeenBy } from '../../support/fleet/fleet-view.ts';
import {
  type FleetHost,
  FleetWorld,
  OWNER_TOKEN,
  reaches,
} from '../../support/fleet/fleet-world.ts';
import { NatsServer } from '../../support/fleet/nats-server.ts';
import { openShell } from '../../support/terminals/terminal-view.ts';
import { until } from '../../support/house/until.ts';

useBrowser();

const WIDE = { viewport: { width: 1440, height: 900 } };
/** Of a host: lists, lists with a filter, and one piece of work. */
const DEEP = [
  '/',
  '/inbox',
  '/tasks',
  '/runs',
  '/modules',
  '/history',
  '/report',
  '/usage',
  '/events',
  '/alerts',
  '/checks',
  '/people',
  '/wall',
  '/tasks/fix-login',
  '/sessions/db',
];

async function openTwo(server: NatsServer) {
  const fleet = new FleetWorld();
  const start = async (name: string): Promise<FleetHost> => {
    const host = await fleet.host(name, {}, server.url);
    return { ...host, api: new ApiClient(host.daemon.url, OWNER_TOKEN) };
  };
  const [alpha, build] = [await start('alpha'), await start('build-1')];
  await reaches(alpha, 'build-1');
  await reaches(build, 'alpha');
  await openShell(alpha.api, 'web', alpha.world.taskDir('web'));
  await openShell(build.api, 'db', build.world.taskDir('db'));
  return { fleet, alpha, build, [Symbol.asyncDispose]: async () => fleet[Symbol.asyncDispose]() };
}

async function losesFleet({ api }: FleetHost): Promise<void> {
  await until('it says so', async () => (await fleetSeenBy(api)).problem === 'disconnected');
}

/** Once it is settled, nothing on the page says that more is to come. */
async function nothingLoads(page: Page, path: string): Promise<void> {
  const waits = page.getByText(/^(Loading|Connecting)\b/).or(page.locator('[class*="skeleton"]'));
  let left: string[] = [];
  await until(
    `nothing loads on ${path}`,
    async () => {
      left = await waits.filter({ visible: true }).allInnerTexts();
      return left.length === 0;
    },
    () => left,
  );
}

/** Marks the document, so that a reload is noticed. */
async function mark(page: Page): Promise<() => Promise<void>> {
  await page.evaluate('window.isFirst = true');
  return async () => expect(await page.evaluate('window.isFirst')).toBe(true);
}

it('FW25 FW22 the own page works at once, names the others as unreachable, and recovers alone', async () => {
  await using server = await NatsServer.start();
  await using hosts = await openTwo(server);
  const { alpha } = hosts;
  await server.kill();
  await losesFleet(alpha);
  await using page = await openDashboard(alpha.api, WIDE);
  await card(page, 'web').getByRole('button', { name: 'Close session web' }).waitFor();
  const problem = page.getByText(/Not connected to the fleet since \d\d:\d\d/);
  const away = page.getByText(/build-1 is unreachable since \d\d:\d\d/);
  await problem.waitFor();
  await away.waitFor();
  await nothingLoads(page, '/');
  expect(await scanAccessibility(page)).toEqual([]);
  await page.setViewportSize(WIDE.viewport);
  await page.getByRole('banner').locator('[data-page-host]').click();
  const menu = page.getByRole('navigation', { name: 'Hosts' });
  await menu.getByText(/Unreachable since \d\d:\d\d/).waitFor();
  await page.keyboard.press('Escape');
  for (const path of DEEP) {
    await page.goto(`${alpha.api.url}${path}`);
    await connection(page, 'Live').waitFor();
    await nothingLoads(page, path);
  }
  await page.goto(`${alpha.api.url}/fleet`);
  const listed = page.getByRole('listitem', { name: 'build-1' });
  await listed.getByText(/Unreachable since \d\d:\d\d/).waitFor();
  await listed.getByText('Free slots').waitFor();

  await page.goto(alpha.api.url);
  const isSame = await mark(page);
  await problem.waitFor();
  await server.resume();
  const other = card(page, 'db on build-1').getByRole('button', { name: 'Close session db' });
  await until('all can be used', async () => (await other.count()) === 1 && other.isEnabled());
  await problem.waitFor({ state: 'detached' });
  await away.waitFor({ state: 'detached' });
  await isSame();
});

it('FW25 FW10 links to another host say why nothing is shown, and continue when the fleet is back', async () => {
  await using server = await NatsServer.start();
  await using hosts = await openTwo(server);
  const { alpha } = hosts;
  await server.kill();
  await losesFleet(alpha);
  await using page = await openDashboard(alpha.api, WIDE);
  for (const path of DEEP) {
    await page.goto(`${alpha.api.url}/hosts/build-1${path}`);
    await page.getByRole('heading', { name: 'build-1 is unreachable' }).waitFor();
    await nothingLoads(page, path);
    expect(await connection(page, 'Live').count()).toBe(0);
  }
  await page.getByText(/alpha, which shows this page, takes no part in the fleet now/).waitFor();
  expect(await scanAccessibility(page)).toEqual([]);
  await page.setViewportSize(WIDE.viewport);
  await page.getByRole('link', { name: 'All hosts' }).click();
  await page.getByText(/alpha: Not connected to the fleet since \d\d:\d\d/).waitFor();
  await page.goBack();
  const isSame = await mark(page);
  await server.resume();
  await connection(page, 'Live').waitFor();
  await page.getByRole('heading', { level: 1, name: 'db' }).waitFor();
  await isSame();
});

it('FW25 FW24 a host that this daemon never heard of is not called unknown while it is alone', async () => {
  await using server = await NatsServer.start();
  await using hosts = await openTwo(server);
  const { alpha } = hosts;
  await server.kill();
  await alpha.daemon.close();
  const again = await alpha.world.start();
  const api = new ApiClient(again.api.url, OWNER_TOKEN);
  expect((await fleetSeenBy(api)).states).toEqual({ alpha: 'here' });
  await openShell(api, 'shop', alpha.world.taskDir('shop'));
  await using page = await openDashboard(api, WIDE);
  await card(page, 'shop').waitFor();
  await page.goto(`${api.url}/hosts/build-1/`);
  await page.getByRole('heading', { name: 'build-1 is unreachable' }).waitFor();
  await nothingLoads(page, '/');
  const isSame = await mark(page);
  await server.resume();
  await connection(page, 'Live').waitFor();
  await card(page, 'db').waitFor();
  await isSame();
});
