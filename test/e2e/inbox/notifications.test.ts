/** What the browser notifies about while the page is hidden; the desktop is stubbed. */
import type { BrowserContext, Page } from 'playwright-core';
import { expect, it } from 'vitest';
import type { ApiClient } from '../../support/daemon/api-client.ts';
import { connection, loginLink, openGuarded, useBrowser } from '../../support/browser/browser.ts';
import { askPerson, BASH_REQUEST } from '../../support/agents/need-person.ts';
import { scanAccessibility } from '../../support/browser/scan-accessibility.ts';
import { until } from '../../support/house/until.ts';
import { World } from '../../support/daemon/world.ts';

useBrowser();

/** A desktop that records its notifications, and a page that can be hidden. */
const DESKTOP = (permission: 'granted' | 'denied') => `
  globalThis.shown = [];
  globalThis.Notification = class {
    static permission = '${permission === 'denied' ? 'denied' : 'default'}';
    static async requestPermission() { return (this.permission = '${permission}'); }
    constructor(title, options) {
      Object.assign(this, { title, ...options, isClosed: false });
      globalThis.shown.push(this);
    }
    close() { this.isClosed = true; }
  };
  let isHidden = false;
  Object.defineProperty(Document.prototype, 'hidden', { get: () => isHidden });
  globalThis.lookAway = () => {
    isHidden = true;
    document.dispatchEvent(new Event('visibilitychange'));
  };
`;

async function openAway(api: ApiClient, permission: 'granted' | 'denied') {
  const context = await openGuarded(api);
  await context.addInitScript(DESKTOP(permission));
  const page = await context.newPage();
  await page.goto(await loginLink(api));
  await connection(page, 'Live').waitFor();
  return { context, page, [Symbol.asyncDispose]: async () => context.close() };
}

async function anotherTab(context: BrowserContext, api: ApiClient): Promise<Page> {
  const page = await context.newPage();
  await page.goto(`${api.url}/inbox`);
  await connection(page, 'Live').waitFor();
  return page;
}

interface Shown {
  title: string;
  body: string;
  isClosed: boolean;
}

const shownOn = async (page: Page) =>
  page.evaluate<Shown[]>('shown.map(({ title, body, isClosed }) => ({ title, body, isClosed }))');

async function openChoices(page: Page) {
  await page.getByRole('button', { name: 'Notifications' }).first().click();
  return page.getByRole('dialog', { name: 'Notifications' });
}

it('NO1, NO2, NO4 two tabs out of sight notify once, open the item when pressed, and close the notification', async () => {
  await using world = new World();
  const { api } = await world.start();
  await using away = await openAway(api, 'granted');
  const { page, context } = away;
  const dialog = await openChoices(page);
  await dialog.getByLabel('Browser notifications').check();
  await dialog.getByRole('button', { name: 'Test' }).click();
  await dialog.getByText('Notification sent.').waitFor();
  await dialog.getByRole('button', { name: 'Done' }).click();
  const second = await anotherTab(context, api);

  // While visible, only the badge changes.
  const seen = await askPerson(world, api, 'web', BASH_REQUEST);
  const icon = page.locator('link[rel=icon]');
  await until('a badge', async () => (await icon.getAttribute('href'))?.startsWith('data:'));
  await until('the title', async () => (await second.title()).startsWith('(1)'));
  expect([...(await shownOn(page)), ...(await shownOn(second))]).toHaveLength(1);

  for (const tab of [page, second]) await tab.evaluate('lookAway()');
  const { id } = await askPerson(world, api, 'docs', {
    ...BASH_REQUEST,
    input: { command: 'deploy', token: 'hunter2' },
  });
  const all = async () => [...(await shownOn(page)).slice(1), ...(await shownOn(second))];
  await until('it is published', async () => (await all()).length > 0);
  await until('both know', async () => (await second.title()).startsWith('(2)'));
  const notification = { title: 'docs: Permission', body: 'Bash: deploy', isClosed: false };
  expect(await all()).toEqual([notification]);

  const speaker = (await shownOn(second)).length > 0 ? second : page;
  await api.send('POST', `/api/attention/${seen.id}/dismiss`);
  await speaker.evaluate('shown.at(-1).onclick()');
  await speaker.locator(`[data-item="${id}"]:focus`).waitFor();
  await api.send('POST', `/api/attention/${id}/dismiss`);
  await until('the badge goes', async () => (await icon.getAttribute('href'))?.endsWith('.svg'));
  expect((await all()).every(({ isClosed }) => isClosed)).toBe(true);
});

it('NO5 a browser that blocks is reported, and nothing claims to be on', async () => {
  await using world = new World();
  const { api } = await world.start();
  await using away = await openAway(api, 'denied');
  const dialog = await openChoices(away.page);
  await dialog.getByText('The browser blocks notifications from this page.').waitFor();
  // A refused permission leaves the switch off.
  await dialog.getByLabel('Browser notifications').click();
  expect(await dialog.getByLabel('Browser notifications').isChecked()).toBe(false);
  await dialog.getByRole('button', { name: 'Test' }).click();
  await dialog.getByText('Turn on notifications or sound first.').waitFor();
  expect(await scanAccessibility(away.page)).toEqual([]);
});
