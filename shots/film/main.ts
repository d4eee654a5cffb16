/**
 * Films the demo from start to end on the real page, into `docs/images/demo.png` (an animated PNG):
 * a frame for each moment that the page explains, and one while it lasts.
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { chromium, type Locator, type Page } from 'playwright-core';
import { CHROMIUM } from '../chromium.ts';
import { packageRoot } from '../../server/lib/package-root.ts';
import { ShotsHome } from '../home.ts';
import { animatedPng, type Frame } from './animated-png.ts';

const SIZE = { width: 1120, height: 700 };
/** The page has drawn what follows from a moment by then. */
const SETTLE_MS = 700;
const SHOW_MS = 2_200;
const LAST_MS = 5_000;
const POLL_MS = 100;
/** The demo takes two minutes; a machine may be slow. */
const LONGEST_MS = 6 * 60_000;

async function film(page: Page): Promise<Frame[]> {
  const frames: Frame[] = [];
  const guide = page.getByRole('region', { name: 'Demo' }).getByRole('status');
  let text = '';
  for (let isOver = false; !isOver;) {
    text = await nextText(page, guide, text);
    isOver = text.startsWith('Demo over.');
    await page.waitForTimeout(SETTLE_MS);
    await guide.scrollIntoViewIfNeeded();
    frames.push({ png: await page.screenshot(), showMs: isOver ? LAST_MS : SHOW_MS });
  }
  return frames;
}

/** The next sentence of the guide. Throws when the demo takes too long. */
async function nextText(page: Page, guide: Locator, before: string): Promise<string> {
  for (let waitedMs = 0; waitedMs < LONGEST_MS; waitedMs += POLL_MS) {
    const text = (await guide.textContent()) ?? '';
    if (text !== before) return text;
    await page.waitForTimeout(POLL_MS);
  }
  throw new Error(`the demo stays at: ${before}`);
}

await using home = new ShotsHome();
await home.start();
const browser = await chromium.launch({
  executablePath: CHROMIUM,
  args: ['--no-sandbox'],
});
const page = await browser.newPage({
  viewport: SIZE,
  colorScheme: 'dark',
  reducedMotion: 'reduce',
});
await page.goto((await home.send('POST', '/api/login-codes'))['link'] as string);
await page.getByRole('banner').getByText('Live', { exact: true }).waitFor();
const { session_name: session } = await home.send('POST', '/api/demo');
await page.goto(`${home.url}/sessions/${String(session)}`);
const frames = await film(page);
await browser.close();
const file = join(packageRoot(), 'docs/images/demo.png');
writeFileSync(file, animatedPng(frames));
process.stdout.write(`${frames.length} frames in ${file}\n`);
