/** How a page learns of other hosts: what it asks them, what it notifies of, and on a phone. */
import { expect, it } from 'vitest';
import type { Page } from 'playwright-core';
import {
  connection,
  loginLink,
  openDashboard,
  openGuarded,
  useBrowser,
} from '../../support/browser/browser.ts';
import { askPerson, BASH_REQUEST } from '../../support/agents/need-person.ts';
import { startTwoHosts } from '../../support/fleet/two-hosts.ts';
import { until } from '../../support/house/until.ts';
import { World } from '../../support/daemon/world.ts';

useBrowser();

const WIDE = { viewport: { width: 1440, height: 900 } };
const PHONE = { viewport: { width: 390, height: 844 } };

/** A desktop that records its notifications, and a page that can be hidden. */
const DESKTOP = `
  globalThis.shown = [];
  globalThis.Notification = class {
    static permission = 'granted';
    static async requestPermission() { return 'granted'; }
    constructor(title) { Object.assign(this, { title }); globalThis.shown.push(this); }
    close() {}
  };
  let isHidden = false;
  Object.defineProperty(Document.prototype, 'hidden', { get: () => isHidden });
  globalThis.lookAway = (is) => {
    isHidden = is;
    document.dispatchEvent(new Event('visibilitychange'));
  };
`;

/** Paths of requests of the page, from now on. */
function requestsOf(page: Page): string[] {
  const paths: string[] = [];
  page.on('request', (request) => paths.push(new URL(request.url()).pathname));
  page.on('websocket', (socket) => paths.push(new URL(socket.url()).pathname));
  return paths;
}

it('FW18 an item of another host notifies once on any page out of sight, and opens from there', async () => {
  await using hosts = await startTwoHosts();
  const { alpha, build } = hosts;
  const context = await openGuarded(alpha.api, WIDE);
  await context.addInitScript(DESKTOP);
  await context.addInitScript(
    `if (location.protocol === 'http:') localStorage.setItem('loopwatch.notifications', '{"notices":true}')`,
  );
  await using page = await context.newPage();
  await askPerson(build.world, build.api, 'before', BASH_REQUEST);
  await page.goto(await loginLink(alpha.api));
  await connection(page, 'Live').waitFor();
  await page.goto(`${alpha.api.url}/checks`);
  await until('the item of before', async () => (await page.title()).startsWith('(1)'));
  // Its items come as events by now: without them the number is read again after 30 seconds.
  await askPerson(build.world, build.api, 'docs', BASH_REQUEST);
  await until('the next one', async () => (await page.title()).startsWith('(2)'));
  await page.evaluate('lookAway(true)');
  const { id } = await askPerson(build.world, build.api, 'web', BASH_REQUEST);
  const titles = async () => page.evaluate<string[]>('shown.map(({ title }) => title)');
  await until('a notification', async () => (await titles()).length > 0);
  expect(await titles()).toEqual(['web on build-1: Permission']);
  await page.evaluate('shown[0].onclick()');
  await page.locator(`[data-item="${id}"]:focus`).waitFor();
  await context.close();
});

it('FW19 a host with an event stream is not polled, another one rarely, and none while hidden', async () => {
  await using hosts = await startTwoHosts();
  const { alpha, build } = hosts;
  const context = await openGuarded(alpha.api, WIDE);
  await context.addInitScript(DESKTOP);
  await using page = await context.newPage();
  await page.clock.install();
  await page.goto(await loginLink(alpha.api));
  await connection(page, 'Live').waitFor();
  const paths = requestsOf(page);
  const inboxReads = () => paths.filter((path) => path === '/hosts/build-1/api/attention').length;

  // The overview has a stream of each host: each new one begins with a reading, and there are no others.
  const polls = () => inboxReads() - paths.filter((path) => path === '/hosts/build-1/ws').length;
  await page.goto(`${alpha.api.url}/`);
  await connection(page, 'Live').waitFor();
  await until('its stream', () => paths.includes('/hosts/build-1/ws'));
  await until('its inbox', () => inboxReads() > 0);
  const atOpen = polls();
  for (let step = 0; step < 36; step += 1) await page.clock.runFor(5_000);
  expect(polls()).toBeLessThanOrEqual(atOpen);

  // A page of one host reads the number when it opens, and then rarely.
  await page.goto(`${alpha.api.url}/checks`);
  await connection(page, 'Live').waitFor();
  const opened = inboxReads();
  await page.reload();
  await connection(page, 'Live').waitFor();
  await until('a first reading', () => inboxReads() > opened);
  const first = inboxReads();
  await page.clock.runFor(20_000);
  expect(inboxReads()).toBe(first);
  await askPerson(build.world, build.api, 'web', BASH_REQUEST);
  await until('another reading', async () => {
    await page.clock.runFor(5_000);
    return (await page.title()).startsWith('(1)');
  });
  await page.evaluate('lookAway(true)');
  const before = inboxReads();
  await page.clock.runFor(120_000);
  expect(inboxReads()).toBe(before);
  await page.evaluate('lookAway(false)');
  await until('a reading at once', () => inboxReads() > before);
  await context.close();
});

it('FW20 on a phone the header of another host is one row, and the filter shares its own', async () => {
  await using hosts = await startTwoHosts();
  const { alpha, build } = hosts;
  await build.api.openSession('web', build.world.taskDir('web'));
  await using page = await openDashboard(alpha.api, PHONE);
  const centreOf = async (name: string): Promise<number> => {
    const box = await page.getByRole('combobox', { name, exact: true }).boundingBox();
    return box === null ? Number.NaN : box.y + box.height / 2;
  };
  await page.getByRole('article', { name: 'web on build-1' }).waitFor();
  expect(Math.abs((await centreOf('Host')) - (await centreOf('Group by')))).toBeLessThan(2);
  await page.goto(`${alpha.api.url}/hosts/build-1/`);
  await connection(page, 'Live').waitFor();
  await page.getByRole('button', { name: 'Start a loop' }).first().waitFor();
  const header = await page.getByRole('banner').boundingBox();
  expect(header?.height).toBeLessThan(70);
  const wide = await page.evaluate<number>('document.documentElement.scrollWidth');
  expect(wide).toBeLessThanOrEqual(390);
});

it('FW21 the pages of a host that is alone ask for no other one', async () => {
  await using world = new World();
  const { api } = await world.start();
  await api.openSession('web', world.taskDir('web'));
  await using page = await openDashboard(api, WIDE);
  const paths = requestsOf(page);
  for (const path of ['/', '/inbox', '/events', '/history', '/usage', '/wall']) {
    await page.goto(api.url + path);
    await connection(page, 'Live').waitFor();
    await page.getByRole('heading', { level: 1 }).first().waitFor({ state: 'attached' });
    expect(await page.getByRole('combobox', { name: 'Host' }).count()).toBe(0);
    expect(await page.locator('[data-host-badge]').count()).toBe(0);
  }
  expect(paths.filter((path) => path.startsWith('/hosts/'))).toEqual([]);
  expect(paths.filter((path) => path === '/api/hosts')).toHaveLength(6);
  expect(paths.filter((path) => path === '/ws')).toHaveLength(6);
});
