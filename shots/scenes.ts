/** What a page can show besides its plain state: a step taken on it before the screenshot. */
import type { Page } from 'playwright-core';

export interface Scene {
  name: string;
  act: (page: Page) => Promise<unknown>;
}

/** By the path of the page. */
export const SCENES: Record<string, readonly Scene[]> = {
  '/': [
    { name: 'start-dialog', act: async (page) => page.keyboard.press('n') },
    { name: 'shortcuts', act: async (page) => page.keyboard.press('?') },
  ],
  '/tasks': [
    { name: 'board', act: async (page) => page.getByText('Board', { exact: true }).click() },
    { name: 'new', act: async (page) => page.keyboard.press('n') },
  ],
  '/runs': [
    { name: 'new', act: async (page) => page.keyboard.press('n') },
    {
      name: 'cleanup',
      act: async (page) => {
        await page.getByRole('button', { name: 'Clean up…' }).click();
        await page.getByRole('button', { name: 'Preview' }).click();
        await page.getByRole('button', { name: /^Remove/ }).waitFor();
      },
    },
  ],
  '/inbox': [
    { name: 'closed', act: async (page) => page.getByText('Closed', { exact: true }).click() },
  ],
  '/events': [
    {
      name: 'details',
      act: async (page) =>
        page
          .getByRole('button', { name: /^Details of event/ })
          .first()
          .click(),
    },
  ],
  '/modules': [{ name: 'new', act: async (page) => page.keyboard.press('n') }],
  '/prompts': [{ name: 'new', act: async (page) => page.keyboard.press('n') }],
  '/projects': [{ name: 'new', act: async (page) => page.keyboard.press('n') }],
  '/tasks/docs-links': [
    { name: 'diff', act: async (page) => page.getByText('Diff', { exact: true }).click() },
    {
      name: 'tests',
      act: async (page) =>
        page
          .getByRole('group', { name: 'Task view' })
          .getByText(/^Tests/)
          .first()
          .click(),
    },
    {
      name: 'delete',
      act: async (page) => {
        await page.getByLabel('More actions').click();
        await page.getByRole('button', { name: 'Delete…' }).click();
        await page.getByRole('button', { name: 'Delete', exact: true }).waitFor();
      },
    },
  ],
  '/alerts': [
    {
      name: 'new',
      act: async (page) => page.getByRole('button', { name: 'New alert' }).click(),
    },
    {
      name: 'wrong',
      act: async (page) => {
        await page.getByRole('button', { name: 'New alert' }).click();
        await page.getByRole('button', { name: 'Create alert' }).click();
      },
    },
    {
      name: 'test-failed',
      act: async (page) => {
        await page.getByRole('button', { name: 'Test On call' }).click();
        await page.getByText('Test failed').waitFor();
      },
    },
    {
      name: 'body',
      act: async (page) => {
        await page.getByText('View payload').first().click();
        await page.getByLabel('Payload').waitFor();
      },
    },
  ],
};
