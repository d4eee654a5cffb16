/** Grids of tiles by Tab, Home and End. */
import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { openDashboard, useBrowser } from '../../support/browser/browser.ts';
import { scanAccessibility } from '../../support/browser/scan-accessibility.ts';
import { openBoard } from '../../support/tasks/task-board.ts';
import { TaskHome } from '../../support/tasks/task-home.ts';
import { openShells, openWall } from '../../support/browser/wall-page.ts';
import { World } from '../../support/daemon/world.ts';

useBrowser();

const NAMES = ['alpha', 'beta', 'gamma', 'delta'];

/** The tiles with something that Tab reaches. */
async function stops(page: Page): Promise<string[]> {
  return page.evaluate<string[]>(`[...document.querySelectorAll('article')]
    .filter((tile) => [...tile.querySelectorAll('a, button, input')].some((at) => at.tabIndex >= 0))
    .map((tile) => tile.querySelector('[data-card]').dataset.card)`);
}

/** The tile around the focus; null outside. */
async function tile(page: Page): Promise<string | null> {
  return page.evaluate<string | null>(
    `document.activeElement.closest('article')?.querySelector('[data-card]').dataset.card ?? null`,
  );
}

/** Presses Tab until the focus is in no tile; returns how often it stayed in the first one. */
async function leave(page: Page): Promise<number> {
  const first = await tile(page);
  for (let inside = 0; ; inside += 1) {
    await page.keyboard.press('Tab');
    const now = await tile(page);
    if (now === null) return inside;
    expect(now).toBe(first);
  }
}

/** What holds for every grid with these tiles, in reading order; one of them is focused. */
async function tryGrid(page: Page, names: readonly string[]): Promise<void> {
  const [first, last] = [names[0], names.at(-1)];
  expect(await tile(page)).not.toBe(null);
  await page.keyboard.press('End');
  expect(await tile(page)).toBe(last);
  expect(await stops(page)).toEqual([last]);
  await page.keyboard.press('Home');
  expect(await tile(page)).toBe(first);
  expect(await stops(page)).toEqual([first]);
  await leave(page);
  // Back in, it is the tile that was left, at its last control.
  await page.keyboard.press('Shift+Tab');
  expect(await tile(page)).toBe(first);
  expect(await scanAccessibility(page)).toEqual([]);
}

/** Of all tiles, in the order of the page. */
async function cardNames(page: Page): Promise<string[]> {
  const names: string[] = [];
  for (const card of await page.locator('[data-card]').all()) {
    names.push((await card.getAttribute('data-card')) ?? '');
  }
  return names;
}

it('OV27 the overview is one stop of Tab, also after a tile came or went', async () => {
  await using world = new World();
  const { api } = await world.start();
  await openShells(world, api, NAMES);
  await using page = await openDashboard(api);
  await page.getByRole('article').nth(3).waitFor();
  const names = await cardNames(page);
  expect(await stops(page)).toEqual([names[0]]);
  await page.keyboard.press('j');
  await tryGrid(page, names);
  // A new tile is no second stop, and the stop moves on when its tile is gone.
  await openShells(world, api, ['epsilon']);
  await page.getByRole('article', { name: 'epsilon' }).waitFor();
  expect(await stops(page)).toEqual([names[0]]);
  await api.send('DELETE', `/api/sessions/${names[0]}`);
  await page.getByRole('article', { name: names[0] ?? '' }).waitFor({ state: 'detached' });
  expect(await stops(page)).toHaveLength(1);
});

it('WM14 the wall is one stop of Tab for all panes', async () => {
  await using world = new World();
  const { api } = await world.start();
  await openShells(world, api, NAMES);
  await using page = await openWall(api, `?follow=${NAMES.join(',')}`);
  await page.getByRole('article').nth(3).waitFor();
  await page.keyboard.press('j');
  expect(await stops(page)).toEqual(['alpha']);
  // Its own controls first.
  expect(await leave(page)).toBeGreaterThan(0);
  await page.keyboard.press('j');
  await tryGrid(page, NAMES);
});

it('TA28 the board is one stop of Tab, and then the menu of its card', async () => {
  await using world = new World();
  const { api } = await world.start();
  const home = new TaskHome(world, api);
  for (const name of NAMES) await home.create(name);
  await using page = await openDashboard(api);
  await openBoard(page);
  await page.getByRole('article').nth(3).waitFor();
  const names = await cardNames(page);
  await page.keyboard.press('j');
  expect(await leave(page)).toBe(1);
  await page.keyboard.press('Shift+Tab');
  await page.keyboard.press('Shift+Tab');
  await tryGrid(page, names);
});
