/** What a reason means: from the page that shows it, and by its address. */
import type { Locator, Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { openDashboard, useBrowser } from '../../support/browser/browser.ts';
import { scanAccessibility } from '../../support/browser/scan-accessibility.ts';
import { World } from '../../support/daemon/world.ts';

useBrowser();

it('PG14 every reason has an address on the help page, and a wait leads there', async () => {
  await using world = new World();
  const { api } = await world.start();
  await using page = await openDashboard(api);
  await page.getByRole('link', { name: 'Help', exact: true }).click();
  await page.getByRole('heading', { level: 1, name: 'Help' }).waitFor();
  expect(await scanAccessibility(page)).toEqual([]);
  // From the first to one further down, on the same page.
  for (const reason of ['repeats_itself', 'stalled']) {
    await page.goto(new URL(`/help#${reason}`, page.url()).href);
    await expect.poll(() => isInView(page, page.locator(`#${reason}`))).toBe(true);
  }
  await page.reload();
  await expect.poll(() => isInView(page, page.locator('#stalled'))).toBe(true);
});

/** Below the header, which stays, and above the end of the window. */
async function isInView(page: Page, entry: Locator): Promise<boolean> {
  const header = await page.getByRole('banner').boundingBox();
  const box = await entry.boundingBox();
  const window = page.viewportSize();
  if (header === null || box === null || window === null) return false;
  return box.y >= header.y + header.height && box.y + box.height <= window.height;
}
