/** The board of tasks, and its cards, dragged as a person does. */
import type { Locator, Page } from 'playwright-core';
import { openTasks } from './task-pages.ts';

export async function openBoard(page: Page): Promise<void> {
  await openTasks(page);
  await page.getByText('Board', { exact: true }).click();
  await page.getByRole('region', { name: 'Board' }).waitFor();
}

export function column(page: Page, name: string): Locator {
  return page.getByRole('region', { name, exact: true });
}

/** The card of a task, in that column if one is given. */
export function boardCard(page: Page | Locator, task: string): Locator {
  return page.getByRole('article', { name: task, exact: true });
}

/** Holds the card over a place of the target, of which `y` is the height in pixels from its top. */
export async function dragOver(card: Locator, target: Locator, y = 120): Promise<void> {
  const { mouse } = card.page();
  const { width, height } = await boxOf(card);
  // Once the card rests: what an earlier drag had shown may still make room.
  await card.hover({ position: { x: width / 2, y: height - 8 } });
  await mouse.down();
  const to = await boxOf(target);
  // The first movement begins the drag, the second one reports the target.
  await mouse.move(to.x + to.width / 2, to.y + y + 4);
  await mouse.move(to.x + to.width / 2, to.y + y);
}

export async function drop(page: Page): Promise<void> {
  await page.mouse.up();
}

export async function namesIn(list: Locator): Promise<string[]> {
  return list.getByRole('heading', { level: 3 }).allInnerTexts();
}

async function boxOf(element: Locator) {
  const box = await element.boundingBox();
  if (box === null) throw new Error('it is not on the page');
  return box;
}
