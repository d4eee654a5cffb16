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
  const from = await boxOf(card);
  const to = await boxOf(target);
  await mouse.move(from.x + from.width / 2, from.y + from.height - 8);
  await mouse.down();
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
