/** Items of the inbox dragged with a finger: what it says, what it needs, and what it never does. */
import type { Locator, Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { connection, openDashboard, useBrowser } from '../../support/browser/browser.ts';
import {
  askPerson,
  BASH_REQUEST,
  decisionOf,
  QUESTION_REQUEST,
} from '../../support/agents/need-person.ts';
import { scanAccessibility } from '../../support/browser/scan-accessibility.ts';
import { World } from '../../support/daemon/world.ts';

useBrowser();

type Point = [x: number, y: number];

/** Moves one real finger of the browser along these points; it stays down. */
async function finger(page: Page) {
  const client = await page.context().newCDPSession(page);
  return {
    async drag([x, y]: Point, ...way: Point[]): Promise<void> {
      await client.send('Input.dispatchTouchEvent', {
        type: 'touchStart',
        touchPoints: [{ x, y }],
      });
      for (const [toX, toY] of way)
        await client.send('Input.dispatchTouchEvent', {
          type: 'touchMove',
          touchPoints: [{ x: toX, y: toY }],
        });
    },
    async lift(): Promise<void> {
      await client.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] });
    },
  };
}

/** In the heading of a card, where no control is. */
async function grip(card: Locator): Promise<Point> {
  const box = await card.locator('h3').boundingBox();
  if (box === null) throw new Error('no heading');
  return [Math.round(box.x + box.width / 2), Math.round(box.y + box.height / 2)];
}

async function openPhone(api: Parameters<typeof openDashboard>[0]): Promise<Page> {
  const viewport = { width: 390, height: 844 };
  const page = await openDashboard(api, { viewport, hasTouch: true, isMobile: true });
  await page.goto(`${api.url}/inbox`);
  await connection(page, 'Live').waitFor();
  return page;
}

it('IB11, IB12 an item is dismissed and a permission allowed by a swipe and a tap, never by the swipe alone', async () => {
  await using world = new World();
  const { api } = await world.start();
  const first = await askPerson(world, api, 'web', BASH_REQUEST);
  const question = await askPerson(world, api, 'docs', QUESTION_REQUEST);
  await using page = await openPhone(api);
  await page.getByText('Swipe left to dismiss, right to allow. Both ask first.').waitFor();
  const permission = page.locator(`[data-item="${first.id}"]`);
  const touch = await finger(page);
  const hint = page.locator('.hint');
  const dialog = page.getByRole('dialog');
  await permission.waitFor();

  // Dragged far and back: it says what would happen, and nothing does.
  const [x, y] = await grip(permission);
  await touch.drag([x, y], [x - 40, y], [x - 60, y]);
  await hint.getByText('Dismiss…', { exact: true }).waitFor();
  expect(await page.evaluate('document.scrollingElement.scrollWidth')).toBe(390);
  await touch.lift();
  await hint.waitFor({ state: 'detached' });
  await touch.drag([x, y], [x + 40, y], [x + 170, y]);
  await hint.getByText('Release: Allow…').waitFor();
  await touch.lift();
  // The tap is refused: nothing was allowed.
  await dialog.getByText('Allow this?').waitFor();
  // The card that returns does not move the dialog.
  const box = await dialog.boundingBox();
  expect((box?.x ?? -1) > 0 && (box?.x ?? 0) + (box?.width ?? 390) < 390).toBe(true);
  expect(await scanAccessibility(page)).toEqual([]);
  await page.setViewportSize({ width: 390, height: 844 });
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  expect((await api.get('/api/attention')).body['items']).toHaveLength(2);

  // A question has no answer that a swipe could give.
  const asked = page.locator(`[data-item="${question.id}"]`);
  await asked.scrollIntoViewIfNeeded();
  const [qx, qy] = await grip(asked);
  await touch.drag([qx, qy], [qx + 40, qy], [qx + 170, qy]);
  expect(await hint.count()).toBe(0);
  await touch.lift();
  expect(await dialog.count()).toBe(0);
  await touch.drag([qx, qy], [qx - 40, qy], [qx - 170, qy]);
  await hint.getByText('Release: Dismiss…').waitFor();
  await touch.lift();
  await dialog.getByRole('button', { name: 'Dismiss' }).click();
  await asked.getByText('Dismissed').waitFor();

  await permission.scrollIntoViewIfNeeded();
  const [px, py] = await grip(permission);
  await touch.drag([px, py], [px + 40, py], [px + 170, py]);
  await touch.lift();
  await dialog.getByRole('button', { name: 'Allow' }).click();
  expect(await decisionOf(first.answer)).toMatchObject({ behavior: 'allow' });
});

it('IB11 a card stays where it is for a person who wants less motion, and says the same', async () => {
  await using world = new World();
  const { api } = await world.start();
  const { id } = await askPerson(world, api, 'web', BASH_REQUEST);
  await using page = await openPhone(api);
  const item = page.locator(`[data-item="${id}"]`);
  await item.waitFor();
  const [x, y] = await grip(item);
  const touch = await finger(page);
  const left = async () => Math.round((await item.boundingBox())?.x ?? NaN);
  const rest = await left();
  const drag = async () => touch.drag([x, y], [x - 40, y], [x - 170, y]);
  await drag();
  await page.getByText('Release: Dismiss…').waitFor();
  expect(await left()).toBeLessThan(rest);
  await touch.drag([x, y], [x - 40, y], [x - 45, y]);
  await touch.lift();
  await page.locator('.hint').waitFor({ state: 'detached' });

  await page.emulateMedia({ reducedMotion: 'reduce' });
  await drag();
  await page.getByText('Release: Dismiss…').waitFor();
  expect(await left()).toBe(rest);
  await touch.lift();
  await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click();
});

it('IB12 dragging up scrolls the page, also when the finger then moves sideways', async () => {
  await using world = new World();
  const { api } = await world.start();
  for (const name of ['one', 'two', 'three', 'four', 'five'])
    await askPerson(world, api, name, BASH_REQUEST);
  await using page = await openPhone(api);
  const card = page.locator('[data-item]').nth(1);
  await card.waitFor();
  const [x, y] = await grip(card);
  const touch = await finger(page);
  await touch.drag([x, y], [x, y - 30], [x, y - 120], [x - 170, y - 160]);
  await page.waitForFunction('scrollY > 0');
  expect(await page.locator('.hint').count()).toBe(0);
  await touch.lift();
  expect(await page.getByRole('dialog').count()).toBe(0);
});
