/** What a reason means: from the page that shows it, and by its address. */
import type { Locator, Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { openDashboard, useBrowser } from '../support/browser.ts';
import { scanAccessibility } from '../support/scan-accessibility.ts';
import { World } from '../support/world.ts';

useBrowser();

it('PG14 every reason has an address on the help page, and a wait leads there', async () => {
  await using world = new World();
  const { api } = await world.start();
  await using page = await openDashboard(api);
  await page.getByRole('link', { name: 'Help', exact: true }).click();
  await page.getByRole('heading', { level: 1, name: 'Help' }).waitFor();
  expect(await scanAccessibility(page)).toEqual([]);
  await page.goto(new URL('/help#repeats_itself', page.url()).href);
  const entry = page.locator('#repeats_itself');
  await entry.getByText('loopwatch task say NAME TEXT').waitFor();
  await expect
    .poll(async () => isInView(await entry.boundingBox(), page.viewportSize()))
    .toBe(true);
});

type Box = Awaited<ReturnType<Locator['boundingBox']>>;

function isInView(box: Box, window: ReturnType<Page['viewportSize']>): boolean {
  return box !== null && window !== null && box.y >= 0 && box.y + box.height <= window.height;
}
