/** The wall in a browser. */
import type { BrowserContextOptions, Page } from 'playwright-core';
import { expect } from 'vitest';
import type { ApiClient } from '../daemon/api-client.ts';
import { connection, openDashboard } from './browser.ts';
import { openShell } from '../terminals/terminal-view.ts';
import type { World } from '../daemon/world.ts';

export const DESK = { viewport: { width: 1440, height: 900 } };

export async function openShells(
  world: World,
  api: ApiClient,
  names: readonly string[],
): Promise<void> {
  await Promise.all(names.map(async (name) => openShell(api, name, world.taskDir(name))));
}

/** A logged-in page on the wall with that query. */
export async function openWall(
  api: ApiClient,
  query = '',
  options: BrowserContextOptions = DESK,
): Promise<Page> {
  const page = await openDashboard(api, options);
  await page.goto(`${api.url}/wall${query}`);
  await connection(page, 'Live').waitFor();
  await page.getByRole('heading', { level: 1, name: 'Wall' }).waitFor();
  return page;
}

/** The names of the panes, in reading order. */
export async function panes(page: Page): Promise<string[]> {
  return page.locator('article h3').allInnerTexts();
}

export async function expectPanes(page: Page, names: readonly string[]): Promise<void> {
  await expect.poll(async () => panes(page)).toEqual(names);
}

/** How far the page can be scrolled down, in px. */
export async function overflow(page: Page): Promise<number> {
  return page.evaluate<number>('document.scrollingElement.scrollHeight - innerHeight');
}
