/**
 * Web Push in a real browser: its push service is of the tree, and messages are handed to the
 * worker by the browser's own tools, since none may leave this machine.
 */
import type { CDPSession, Page, Worker } from 'playwright-core';
import { expect, it } from 'vitest';
import type { PushPayload } from '../../../shared/rules/push-payload.ts';
import type { ApiClient } from '../../support/daemon/api-client.ts';
import { connection, loginLink, openGuarded, useBrowser } from '../../support/browser/browser.ts';
import { askPerson, BASH_REQUEST, decisionOf } from '../../support/agents/need-person.ts';
import { type PushBrowser, PushService } from '../../support/alerts/push-service.ts';
import { scanAccessibility } from '../../support/browser/scan-accessibility.ts';
import { until } from '../../support/house/until.ts';
import { World } from '../../support/daemon/world.ts';

useBrowser();

/** A browser that subscribes at the push service of the tree. */
function subscribing(browser: PushBrowser): string {
  const subscription = browser.subscription('');
  return `{
    const key = 'test.subscription';
    const make = (options) => ({
      endpoint: ${JSON.stringify(subscription.endpoint)},
      options,
      toJSON: () => (${JSON.stringify(subscription)}),
      unsubscribe: async () => (sessionStorage.removeItem(key), true),
    });
    PushManager.prototype.getSubscription = async () => {
      const kept = sessionStorage.getItem(key);
      return kept === null ? null : make({ applicationServerKey: Uint8Array.from(JSON.parse(kept)).buffer });
    };
    PushManager.prototype.subscribe = async (options) => {
      if (options.userVisibleOnly !== true) throw new Error('not visible');
      sessionStorage.setItem(key, JSON.stringify([...options.applicationServerKey]));
      return make(options);
    };
  }`;
}

/** Headless browsers deny notifications and ask no one. */
const ALLOWED = `
  globalThis.allowed = 'default';
  Object.defineProperty(Notification, 'permission', { get: () => globalThis.allowed });
  Notification.requestPermission = async () => (globalThis.allowed = 'granted');
`;

async function openAlerts(api: ApiClient, scripts: readonly string[]) {
  const context = await openGuarded(api);
  for (const script of scripts) await context.addInitScript(script);
  const page = await context.newPage();
  await page.goto(await loginLink(api));
  await connection(page, 'Live').waitFor();
  await page.goto(`${api.url}/alerts`);
  await connection(page, 'Live').waitFor();
  return { context, page, [Symbol.asyncDispose]: async () => context.close() };
}

const panelOf = (page: Page) => page.getByRole('region', { name: 'Your browsers' });
const switchOf = (page: Page) => panelOf(page).getByRole('switch', { name: 'Notify this browser' });

/** Hands messages to the worker, as the browser does with those of its push service. */
class Delivery {
  readonly #session: CDPSession;
  readonly #origin: string;
  #registration = '';

  private constructor(session: CDPSession, origin: string) {
    this.#session = session;
    this.#origin = origin;
  }

  static async open(page: Page, origin: string): Promise<Delivery> {
    const session = await page.context().newCDPSession(page);
    const delivery = new Delivery(session, origin);
    session.on('ServiceWorker.workerRegistrationUpdated', ({ registrations }) => {
      const own = registrations.find(({ scopeURL }) => scopeURL.startsWith(origin));
      delivery.#registration = own?.registrationId ?? delivery.#registration;
    });
    await session.send('ServiceWorker.enable');
    await until('a registration', () => delivery.#registration);
    return delivery;
  }

  async deliver(payload: PushPayload): Promise<void> {
    await this.#session.send('ServiceWorker.deliverPushMessage', {
      origin: this.#origin,
      registrationId: this.#registration,
      data: JSON.stringify(payload),
    });
  }
}

/** What the worker showed, in place of a desktop. */
const RECORD = `
  self.shown = [];
  self.badge = null;
  self.opened = [];
  self.registration.showNotification = async (title, options) => void self.shown.push({ title, ...options });
  self.navigator.setAppBadge = async (count) => void (self.badge = count);
  self.clients.openWindow = async (path) => void self.opened.push(path);
  self.press = async (at, action) => {
    const notification = { data: self.shown[at].data, close() {} };
    const event = new Event('notificationclick');
    const work = [];
    Object.assign(event, { action, notification, waitUntil: (one) => work.push(one) });
    self.dispatchEvent(event);
    await Promise.all(work);
  };
`;

interface Shown {
  title: string;
  body: string;
  tag: string;
  actions: { action: string }[];
}

const shownBy = async (worker: Worker) => worker.evaluate<Shown[]>('self.shown');

async function workerOf(page: Page): Promise<Worker> {
  const worker = await until('a worker', () => page.context().serviceWorkers()[0]);
  await worker.evaluate(RECORD);
  return worker;
}

it('WP13 WP14 WP15 a browser is turned on, tested, answers, and is off after a logout', async () => {
  await using service = await PushService.open();
  await using world = new World({ LOOPWATCH_PUSH_SERVICES: service.host });
  const { api } = await world.start();
  const browser = service.browser('laptop');
  await using opened = await openAlerts(api, [ALLOWED, subscribing(browser)]);
  const { page } = opened;
  await switchOf(page).click();
  const row = panelOf(page).getByRole('listitem');
  await row.getByText('This browser', { exact: true }).waitFor();
  expect(await row.textContent()).toMatch(/Chrome on Linux.*nothing sent yet; over 127\.0\.0\.1/s);
  expect(await switchOf(page).isChecked()).toBe(true);
  await scanAccessibility(page);
  await row.getByRole('button', { name: 'Test Chrome on Linux' }).click();
  await row.getByText('the push service took it').waitFor();
  const [test] = service.got;
  if (test === undefined) throw new Error('no test');
  expect(browser.read(test)).toMatchObject({ title: 'Loopwatch', path: '/alerts', tag: 'test' });

  // No alert sends there yet: the panel opens one that does.
  await panelOf(page).getByRole('button', { name: 'Create one' }).click();
  const dialog = page.getByRole('dialog', { name: 'New alert' });
  expect(await dialog.getByLabel('To the browsers of').inputValue()).toBe('operator');
  await dialog.getByRole('button', { name: 'Create alert' }).click();
  // Its title is the name now.
  await page.getByRole('dialog').getByRole('button', { name: 'Done' }).click();
  await page.getByRole('article', { name: 'Browsers' }).getByText('operators and admins').waitFor();
  await panelOf(page).getByText('No alert sends').waitFor({ state: 'detached' });

  const worker = await workerOf(page);
  const delivery = await Delivery.open(page, api.url);
  const ask = async (session: string) => {
    const before = service.got.length;
    const { id, answer } = await askPerson(world, api, session, BASH_REQUEST);
    const got = await until('a push', () => service.got[before]);
    const payload = browser.read(got);
    const shown = (await shownBy(worker)).length;
    await delivery.deliver(payload);
    await until('it is shown', async () => (await shownBy(worker)).length > shown);
    return { id, answer };
  };
  const first = await ask('web');
  expect(await shownBy(worker)).toMatchObject([
    {
      title: 'Session web: Permission',
      body: 'command: touch made-by-stub.txt\ndescription: Run a stub command',
      tag: `attention:${first.id}`,
      renotify: true,
      requireInteraction: true,
      actions: [{ action: 'allow' }, { action: 'deny' }],
    },
  ]);
  expect(await worker.evaluate('self.badge')).toBe(1);
  await worker.evaluate(`self.press(0, 'allow')`);
  expect(await decisionOf(first.answer)).toMatchObject({ behavior: 'allow' });
  expect(await worker.evaluate('self.opened')).toEqual([]);
  expect(new URL(page.url()).pathname).toBe('/alerts');

  const second = await ask('api');
  await worker.evaluate(`self.press(1, 'deny')`);
  expect(await decisionOf(second.answer)).toMatchObject({ behavior: 'deny' });
  // What was answered already opens the page, which says so.
  await worker.evaluate(`self.press(1, 'deny')`);
  await page.waitForURL(`**/inbox?item=${second.id}`);
  await page.goto(`${api.url}/alerts`);
  await connection(page, 'Live').waitFor();
  await worker.evaluate(`self.press(0, '')`);
  await page.waitForURL(`**/inbox?item=${first.id}`);

  await page.getByRole('button', { name: 'Log out' }).click();
  await until('no browser is left', async () => {
    const { body } = await api.get('/api/push/subscriptions');
    return (body['browsers'] as unknown[]).length === 0;
  });
});

it('WP13 with no page open the worker opens one, and a message it cannot read leads to the inbox', async () => {
  await using service = await PushService.open();
  await using world = new World({ LOOPWATCH_PUSH_SERVICES: service.host });
  const { api } = await world.start();
  await using opened = await openAlerts(api, [ALLOWED, subscribing(service.browser('laptop'))]);
  const { page } = opened;
  await switchOf(page).click();
  await panelOf(page).getByText('This browser', { exact: true }).waitFor();
  const worker = await workerOf(page);
  const delivery = await Delivery.open(page, api.url);
  await delivery.deliver('unreadable' as unknown as PushPayload);
  await until('it is shown', async () => (await shownBy(worker)).length === 1);
  expect(await shownBy(worker)).toMatchObject([{ title: 'Loopwatch', data: { path: '/inbox' } }]);
  await page.close();
  // The browser may take a moment to forget the page.
  await until('the worker opens a page', async () => {
    await worker.evaluate(`self.press(0, '')`);
    return (await worker.evaluate<string[]>('self.opened')).length > 0;
  });
  expect(await worker.evaluate('self.opened')).toEqual(['/inbox']);
});

it.each([
  [
    'blocks notifications',
    `Notification.requestPermission = async () => (globalThis.allowed = 'denied');
     globalThis.allowed = 'denied';`,
    /This browser blocks notifications/,
  ],
  ['has no push', 'delete globalThis.PushManager;', /This browser has no Web Push/],
  [
    'is not secure',
    `Object.defineProperty(globalThis, 'isSecureContext', { get: () => false });`,
    /only over https or on localhost/,
  ],
])('WP14 a browser that %s says why, and the switch stays off', async (_, script, text) => {
  await using world = new World();
  const { api } = await world.start();
  await using opened = await openAlerts(api, [ALLOWED, script]);
  const { page } = opened;
  await panelOf(page).getByText(text).waitFor();
  await switchOf(page).click();
  await panelOf(page).getByText(text).waitFor();
  expect(await switchOf(page).isChecked()).toBe(false);
  expect((await api.get('/api/push/subscriptions')).body['browsers']).toEqual([]);
});

it('WP14 an unreachable push service is named, and another browser can be removed', async () => {
  await using service = await PushService.open();
  await using world = new World({ LOOPWATCH_PUSH_SERVICES: service.host });
  const { api } = await world.start();
  const other = service.browser('phone').subscription('Chrome on Android');
  await api.send('POST', '/api/push/subscriptions', other);
  const refusing = `PushManager.prototype.subscribe = async () => {
    throw new DOMException('Registration failed - push service error', 'AbortError');
  };`;
  await using opened = await openAlerts(api, [ALLOWED, refusing]);
  const { page } = opened;
  await switchOf(page).click();
  await panelOf(page).getByRole('alert').getByText('push service error').waitFor();
  expect(await switchOf(page).isChecked()).toBe(false);
  await panelOf(page).getByRole('button', { name: 'Remove Chrome on Android' }).click();
  await panelOf(page).getByRole('listitem').waitFor({ state: 'detached' });
});
