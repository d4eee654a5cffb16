/** The pages of tasks, opened as a person does. */
import type { Locator, Page } from 'playwright-core';

export async function openTasks(page: Page): Promise<void> {
  await page.getByRole('link', { name: 'Tasks', exact: true }).first().click();
  await page.getByRole('heading', { level: 1, name: 'Tasks' }).waitFor();
}

export async function openTask(page: Page, name: string): Promise<void> {
  await openTasks(page);
  await page.getByRole('link', { name, exact: true }).click();
  await page.getByRole('heading', { level: 1, name }).waitFor();
}

/** An action of a task or run that is in the menu of its page. */
export async function takeFromMenu(page: Page, action: string): Promise<void> {
  await page.getByLabel('More actions').click();
  await page.getByRole('button', { name: action, exact: true }).click();
}

/** The conversation of a task on its page. */
export function talk(page: Page, name: string): Locator {
  return page.getByRole('region', { name: `Conversation of ${name}` });
}
