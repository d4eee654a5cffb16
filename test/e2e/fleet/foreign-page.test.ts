/** A page from another site, in the same browser, tries to use the daemon. */
import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import type { ApiClient } from '../../support/daemon/api-client.ts';
import { openContext, openDashboard, useBrowser } from '../../support/browser/browser.ts';
import { openForeignSite } from '../../support/browser/foreign-site.ts';
import { World } from '../../support/daemon/world.ts';

useBrowser();

/** What the page learns from its request. */
async function tryFetch(page: Page, url: string, options: object): Promise<string> {
  const call = `fetch(${JSON.stringify(url)}, ${JSON.stringify(options)})`;
  return page.evaluate(`${call}.then(
    async (response) => [response.type, response.status, await response.text()].join(' ').trim(),
    () => 'failed',
  )`);
}

/** What happens to a socket with these protocols. */
async function trySocket(page: Page, url: string, protocols: string[]): Promise<string> {
  return page.evaluate(`new Promise((resolve) => {
    const socket = new WebSocket(${JSON.stringify(url)}, ${JSON.stringify(protocols)});
    socket.onopen = () => resolve('open');
    socket.onclose = () => resolve('closed');
  })`);
}

async function ticketOf(api: ApiClient): Promise<string> {
  return (await api.send('POST', '/api/tickets')).body['ticket'] as string;
}

/** Everything a foreign page could have changed. */
async function stateOf(api: ApiClient): Promise<unknown> {
  const sessions = (await api.get('/api/sessions')).body['sessions'];
  return { sessions, events: await api.events() };
}

it('GA3 a page on another port reads nothing, opens nothing and changes nothing', async () => {
  await using world = new World();
  const { api } = await world.start();
  await using site = await openForeignSite();
  const before = await stateOf(api);
  // The browser is logged in, like that of a careless person.
  await using dashboard = await openDashboard(api);
  const page = await openForeignPage(dashboard, site.url);
  const post = { method: 'POST', body: JSON.stringify({ name: 'x', cwd: world.taskDir('x') }) };
  const bearer = { authorization: `Bearer ${api.token}` };
  const json = { 'content-type': 'application/json' };
  const tries: [string, object][] = [
    ['/api/status', {}],
    ['/api/status', { credentials: 'include' }],
    ['/api/status', { headers: bearer }],
    ['/healthz', {}],
    ['/api/sessions', { ...post, headers: json }],
    ['/api/sessions', { ...post, headers: { ...json, ...bearer } }],
    ['/api/sessions', { ...post, credentials: 'include' }],
    ['/api/demo', { method: 'POST', credentials: 'include' }],
    ['/api/sessions/x', { method: 'DELETE', headers: bearer }],
    ['/', {}],
  ];
  for (const [path, options] of tries) {
    expect([path, await tryFetch(page, api.url + path, options)]).toEqual([path, 'failed']);
  }
  for (const path of ['/api/sessions', '/api/login-codes', '/api/demo']) {
    const blind = { ...post, mode: 'no-cors', credentials: 'include' };
    expect(await tryFetch(page, api.url + path, blind)).toMatch(/^(opaque 0|failed)$/);
  }
  expect(await stateOf(api)).toEqual(before);
});

it('GA3, GA16 a page on another port opens no socket, not even with a ticket, and uses up none', async () => {
  await using world = new World();
  const { api } = await world.start();
  await using site = await openForeignSite();
  await using dashboard = await openDashboard(api);
  const page = await openForeignPage(dashboard, site.url);
  const ticket = `ticket.${await ticketOf(api)}`;
  const url = `${api.url.replace('http', 'ws')}/ws`;
  const outcomes = [
    await trySocket(page, url, []),
    await trySocket(page, url, ['loopwatch.v1']),
    await trySocket(page, url, ['loopwatch.v1', ticket]),
    await trySocket(dashboard, url, ['loopwatch.v1', ticket]),
  ];
  expect(outcomes).toEqual(['closed', 'closed', 'closed', 'open']);
});

it('GA3, GA10 a page on another port frames nothing, sends no form and gets no script', async () => {
  await using world = new World();
  const { api } = await world.start();
  await using site = await openForeignSite();
  const before = await stateOf(api);
  await using context = await openContext();
  const page = await context.newPage();
  await page.goto(site.url);
  await page.evaluate(`new Promise((resolve) => {
    const frame = document.createElement('iframe');
    frame.onload = resolve;
    frame.src = ${JSON.stringify(api.url)};
    document.body.append(frame);
  })`);
  const [, frame] = page.frames();
  expect(await frame?.locator('body').innerText()).not.toContain('Log in');
  const script = await page.evaluate(`new Promise((resolve) => {
    const script = document.createElement('script');
    script.onload = () => resolve('loaded');
    script.onerror = () => resolve('refused');
    script.src = ${JSON.stringify(`${api.url}/api/asyncapi.json`)};
    document.body.append(script);
  })`);
  expect(script).toBe('refused');
  await Promise.all([
    page.waitForResponse((response) => response.url() === `${api.url}/api/demo`),
    page.evaluate(`(() => {
      const form = document.createElement('form');
      form.method = 'POST';
      form.action = ${JSON.stringify(`${api.url}/api/demo`)};
      document.body.append(form);
      form.submit();
    })()`),
  ]);
  expect(await stateOf(api)).toEqual(before);
});

it('GA2 a foreign name that leads to this machine gets no page and no API', async () => {
  await using world = new World();
  const { api } = await world.start();
  await using context = await openContext();
  const page = await context.newPage();
  const rebound = api.url.replace('127.0.0.1', 'rebound.example');
  expect((await page.goto(rebound))?.status()).toBe(421);
  expect(await page.locator('body').innerText()).toContain('unknown_host');
  expect(await tryFetch(page, `${rebound}/api/status`, {})).toContain('basic 421');
});

/** Another tab of the same person, on a site other than the daemon's. */
async function openForeignPage(dashboard: Page, url: string): Promise<Page> {
  const context = await openContext({ storageState: await dashboard.context().storageState() });
  dashboard.once('close', () => void context.close());
  const page = await context.newPage();
  await page.goto(url);
  return page;
}
