/** Everything the page can do, without a pointer. */
import type { Locator, Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { openDashboard, screenOf, useBrowser } from '../../support/browser/browser.ts';
import { World } from '../../support/daemon/world.ts';

useBrowser();

/** Resolves when this element has the focus. */
async function hasFocus(page: Page, what: Locator): Promise<void> {
  await what.and(page.locator(':focus')).waitFor();
}

it('PG7 keys go from session to session, into one, into its input line, and back', async () => {
  await using world = new World();
  const { api } = await world.start();
  for (const name of ['alpha', 'beta']) await api.openSession(name, world.taskDir(name));
  await using page = await openDashboard(api);
  const link = (name: string) => page.locator('article').getByRole('link', { name });
  await page.keyboard.press('j');
  await hasFocus(page, link('alpha'));
  await page.keyboard.press('j');
  await hasFocus(page, link('beta'));
  await page.keyboard.press('k');
  await hasFocus(page, link('alpha'));
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { level: 1, name: 'alpha' }).waitFor();
  await screenOf(page, 'alpha').waitFor();
  await page.keyboard.press('i');
  await hasFocus(page, page.getByLabel('Type into alpha'));
  // Keys belong to the text field; none of these may open or leave anything.
  await page.keyboard.type('echo nojk?o');
  await page.keyboard.press('Enter');
  await screenOf(page, 'alpha').getByText('nojk?o', { exact: true }).waitFor();
  await page.keyboard.press('Tab');
  await page.keyboard.press('o');
  await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor();
});

it('PG7 the list of keys opens with ? and closes with Escape', async () => {
  await using world = new World();
  const { api } = await world.start();
  await using page = await openDashboard(api);
  await page.keyboard.press('?');
  const dialog = page.getByRole('dialog', { name: 'Keyboard shortcuts' });
  await dialog.getByText('Start a loop').waitFor();
  await page.keyboard.press('n');
  expect(await page.getByRole('dialog').count()).toBe(1);
  await page.keyboard.press('Escape');
  await dialog.waitFor({ state: 'detached' });
});

it('PG7 the first Tab offers to skip to the content, and each control shows its focus', async () => {
  await using world = new World();
  const { api } = await world.start();
  await api.openSession('alpha', world.taskDir('alpha'));
  await using page = await openDashboard(api);
  await page.keyboard.press('Tab');
  await hasFocus(page, page.getByRole('link', { name: 'Skip to content' }));
  await page.keyboard.press('Enter');
  await hasFocus(page, page.getByRole('main'));
  const reached: string[] = [];
  while (reached.at(-1) !== 'Log out') {
    await page.keyboard.press('Tab');
    const { name, outline } = await page.evaluate<{ name: string; outline: string }>(`(() => {
      const element = document.activeElement;
      const { outlineStyle, boxShadow } = getComputedStyle(element);
      const name = element.getAttribute('aria-label') ?? element.innerText;
      return { name: name.trim(), outline: outlineStyle + ' ' + boxShadow };
    })()`);
    expect([name, outline]).not.toEqual([name, 'none none']);
    reached.push(name);
  }
  expect(reached).toEqual(
    expect.arrayContaining(['alpha', 'Start loop in alpha', 'Close session alpha', 'Log out']),
  );
});
