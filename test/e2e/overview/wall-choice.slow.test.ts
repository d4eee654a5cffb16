/** The wall as a person arranges it: sizes, order, and the whole screen. */
import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { card, screenOf, useBrowser } from '../../support/browser/browser.ts';
import { scanAccessibility } from '../../support/browser/scan-accessibility.ts';
import {
  DESK,
  expectPanes,
  openShells,
  openWall,
  overflow,
  panes,
} from '../../support/browser/wall-page.ts';
import { World } from '../../support/daemon/world.ts';

useBrowser();

async function widthOf(page: Page, name: string): Promise<number> {
  return (await card(page, name).boundingBox())?.width ?? 0;
}

async function menuOf(page: Page, name: string, action: string): Promise<void> {
  await card(page, name).getByLabel(`Move or remove ${name}`).click();
  await card(page, name).getByRole('button', { name: action }).click();
}

it('WM7 columns and rows are resized by keyboard and pointer, kept in the browser, and in the link', async () => {
  await using world = new World();
  const { api } = await world.start();
  await openShells(world, api, ['a', 'b', 'c', 'd']);
  await using page = await openWall(api, '?follow=a,b,c,d');
  const columns = page.getByRole('separator', { name: 'Size of columns 1 and 2' });
  const rows = page.getByRole('separator', { name: 'Size of rows 1 and 2' });
  await columns.focus();
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('ArrowRight');
  expect(await columns.getAttribute('aria-valuenow')).toBe('60');
  expect((await widthOf(page, 'a')) / (await widthOf(page, 'b'))).toBeCloseTo(1.5, 1);
  await rows.focus();
  await page.keyboard.press('ArrowUp');
  expect(await rows.getAttribute('aria-valuenow')).toBe('45');
  await page.waitForURL('**/wall?follow=a,b,c,d&columns=120-80&rows=90-110');
  await page.reload();
  expect(await columns.getAttribute('aria-valuenow')).toBe('60');

  const box = (await columns.boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 };
  await page.mouse.move(box.x + box.width / 2, box.y + 40);
  await page.mouse.down();
  await page.mouse.move(box.x - 300, box.y + 60, { steps: 4 });
  await page.mouse.up();
  const dragged = Number(await columns.getAttribute('aria-valuenow'));
  expect(dragged).toBeGreaterThan(36);
  expect(dragged).toBeLessThan(41);
  await rows.focus();
  await page.keyboard.press('Home');
  await page.waitForURL(/follow=a,b,c,d&columns=\d+-\d+$/);
  // Without sizes in the link, those of this browser.
  await page.goto(`${api.url}/wall?follow=a,b,c,d`);
  await expect.poll(async () => columns.getAttribute('aria-valuenow')).toBe(String(dragged));
  await page.goto(`${api.url}/wall?follow=a,b,c,d&columns=140-60`);
  await expect.poll(async () => columns.getAttribute('aria-valuenow')).toBe('70');
});

it('WM8 sessions are added, moved and removed with the keyboard alone', async () => {
  await using world = new World();
  const { api } = await world.start();
  await openShells(world, api, ['api', 'docs', 'web']);
  await using page = await openWall(api, '?follow=web');
  await page.getByRole('button', { name: 'Add session' }).focus();
  await page.keyboard.press('Enter');
  const dialog = page.getByRole('dialog', { name: 'Add a session' });
  await dialog.getByRole('button', { name: /^docs/ }).waitFor();
  expect(await dialog.getByRole('button', { name: /^web/ }).count()).toBe(0);
  expect(await scanAccessibility(page)).toEqual([]);
  await page.setViewportSize(DESK.viewport);
  await dialog.getByRole('searchbox').focus();
  await page.keyboard.type('doc');
  await page.keyboard.press('Enter');
  await expectPanes(page, ['web', 'docs']);

  const menu = card(page, 'docs').getByLabel('Move or remove docs');
  await menu.focus();
  await page.keyboard.press('Enter');
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await expectPanes(page, ['docs', 'web']);
  await menu.and(page.locator(':focus')).waitFor();
  await page.waitForURL('**/wall?follow=docs,web');
  await page.keyboard.press('Enter');
  await page.keyboard.press('Escape');
  await card(page, 'docs').getByRole('button', { name: 'Move right' }).waitFor({ state: 'hidden' });
  await menu.and(page.locator(':focus')).waitFor();
  await menuOf(page, 'docs', 'Remove from the wall');
  await expectPanes(page, ['web']);
  await card(page, 'web').getByRole('link', { name: 'web' }).and(page.locator(':focus')).waitFor();
  await menuOf(page, 'web', 'Remove from the wall');
  await page.getByRole('heading', { name: 'No sessions chosen' }).waitFor();
  await page.waitForURL('**/wall?follow=');
});

it('WM6 WM12 a phone has one column, and idle sessions can be hidden', async () => {
  await using world = new World();
  const { api } = await world.start();
  await openShells(world, api, ['docs', 'web']);
  await using page = await openWall(api, '?follow=web,docs', {
    viewport: { width: 390, height: 844 },
  });
  await expectPanes(page, ['web', 'docs']);
  const [first, second] = await page
    .locator('article')
    .evaluateAll((all) => all.map((one) => (one as unknown as { offsetTop: number }).offsetTop));
  expect(second).toBeGreaterThan(first ?? 0);
  await menuOf(page, 'web', 'Move down');
  await expectPanes(page, ['docs', 'web']);
  await page.getByLabel('More about the wall').click();
  await page.getByRole('switch', { name: 'Hide idle' }).check();
  await page.getByRole('heading', { name: 'All chosen sessions are idle' }).waitFor();
  await page.waitForURL('**/wall?follow=docs,web&idle=hide');
  expect(await scanAccessibility(page)).toEqual([]);
  await page.getByRole('button', { name: 'Show idle' }).click();
  await expectPanes(page, ['docs', 'web']);
});

it('WM11 the wall fills the screen by its key, and says there when the page is not live', async () => {
  await using world = new World();
  const { api, daemon } = await world.start();
  await openShells(world, api, ['web']);
  await using page = await openWall(api, '?follow=web');
  await screenOf(page, 'web').waitFor();
  await page.keyboard.press('f');
  await page.getByRole('button', { name: 'Leave full screen' }).waitFor();
  await page.getByRole('banner').waitFor({ state: 'hidden' });
  expect(await overflow(page)).toBe(0);
  await daemon.close();
  await page.getByText('This page is frozen until it reconnects.').waitFor();
  expect(await panes(page)).toEqual(['web']);
  await page.keyboard.press('f');
  await page.getByRole('button', { name: 'Full screen', exact: true }).waitFor();
});
