/**
 * A real browser on the dashboard. Every page opened through here is held to PG6 and GA10: a
 * dialog, an error, a violation of the page's policy or a request to anything but the daemon fails
 * the test, also when the test itself checks something else.
 */
import {
  type Browser,
  type BrowserContext,
  type BrowserContextOptions,
  chromium,
  type Locator,
  type Page,
} from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect } from 'vitest';
import type { ApiClient } from '../daemon/api-client.ts';
import { CHROMIUM } from '../../../shots/chromium.ts';

const ARGUMENTS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  // A foreign name that resolves to this machine.
  '--host-resolver-rules=MAP rebound.example 127.0.0.1',
];

/** The longest wait for anything on a page; reached only by a hang. */
const PATIENCE_MS = 180_000;

/** What the browser logs about a failed connection; tests break connections on purpose. */
const BROKEN_CONNECTION = /^(Failed to load resource|WebSocket connection to)/;

/** Reports all policy violations to the test through the console. */
const REPORT_VIOLATIONS = `addEventListener('securitypolicyviolation', (event) => {
  console.error('breach: ' + event.effectiveDirective + ' ' + event.blockedURI);
})`;

let browser: Browser | null = null;
/** What happened on the pages of this test and must not have. */
const incidents: string[] = [];

/** Starts one browser for the tests of a file; to be called once at its top. */
export function useBrowser(): void {
  beforeAll(async () => {
    browser = await chromium.launch({
      executablePath: CHROMIUM,
      args: ARGUMENTS,
      timeout: PATIENCE_MS,
    });
  });
  afterEach(() => expect(takeIncidents()).toEqual([]));
  afterAll(async () => browser?.close());
}

/** What the pages did that they must not do; clears the list, for tests that provoke it. */
export function takeIncidents(): string[] {
  return incidents.splice(0);
}

/** A browser of one person: its own pages and storage. */
export async function openContext(options: BrowserContextOptions = {}): Promise<BrowserContext> {
  if (browser === null) throw new Error('call useBrowser() at the top of the file');
  const context = await browser.newContext(options);
  context.setDefaultTimeout(PATIENCE_MS);
  return context;
}

/** A context whose pages may reach only this daemon. */
export async function openGuarded(
  api: ApiClient,
  options: BrowserContextOptions = {},
): Promise<BrowserContext> {
  const context = await openContext(options);
  await context.addInitScript(REPORT_VIOLATIONS);
  context.on('page', (page) => guard(page, api.url));
  return context;
}

/** A logged-in page showing the overview, live. */
export async function openDashboard(
  api: ApiClient,
  options: BrowserContextOptions = {},
): Promise<Page> {
  const context = await openGuarded(api, options);
  const page = await context.newPage();
  // Disposing the page closes its context as well.
  page[Symbol.asyncDispose] = async () => context.close();
  await page.goto(await loginLink(api));
  await connection(page, 'Live').waitFor();
  return page;
}

export async function loginLink(api: ApiClient): Promise<string> {
  const { body } = await api.send('POST', '/api/login-codes');
  return body['link'] as string;
}

/** The connection badge, if it shows that word. */
export function connection(page: Page, word: string): Locator {
  return page.getByRole('banner').getByText(word, { exact: true });
}

/** The card of a session. */
export function card(page: Page, session: string): Locator {
  return page.getByRole('article', { name: session, exact: true });
}

/** The seqs of the events a page lists, from the top. */
export async function listedEvents(page: Page): Promise<number[]> {
  const titles = await page
    .locator('li time')
    .evaluateAll((times) => times.map((time) => (time as unknown as { title: string }).title));
  // Other lists contain times as well.
  return titles.flatMap((title) => /event (\d+)$/.exec(title)?.[1] ?? []).map(Number);
}

/** Opens the page of a session as a person does, without a new document. */
export async function openSession(page: Page, session: string): Promise<void> {
  await page.getByRole('link', { name: session, exact: true }).first().click();
  await page.getByRole('heading', { level: 1, name: session }).waitFor();
}

/** The screen of a session. */
export function screenOf(page: Page, session: string): Locator {
  return page.getByRole('region', { name: `Screen of ${session}` });
}

function guard(page: Page, url: string): void {
  const own = [new URL(url).origin, new URL(url).origin.replace('http', 'ws')];
  const check = (kind: string, target: string) => {
    const { protocol, origin } = new URL(target);
    const isLocal = protocol === 'data:' || protocol === 'blob:' || target === 'about:blank';
    if (!isLocal && !own.includes(origin)) incidents.push(`${kind} to ${target}`);
  };
  page.on('request', (request) => check('request', request.url()));
  page.on('websocket', (socket) => check('socket', socket.url()));
  page.on('pageerror', (error) => incidents.push(`error: ${error.message}`));
  page.on('console', (message) => {
    if (message.type() !== 'error' && !/security policy/i.test(message.text())) return;
    if (!BROKEN_CONNECTION.test(message.text())) incidents.push(message.text());
  });
  page.on('dialog', (dialog) => {
    incidents.push(`dialog: ${dialog.message()}`);
    void dialog.dismiss();
  });
}
