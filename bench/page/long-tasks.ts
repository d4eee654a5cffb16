/** A headless browser that notes which of its page's tasks were long. */
import { type Browser, chromium, type Page } from 'playwright-core';
import { CHROMIUM } from '../../shots/chromium.ts';

/**
 * Runs in the page from its start: how long each task took that took more than 50 ms, and the first
 * frame with a tile, in ms since the page was opened.
 */
const COLLECT = `
  window.longTasks = [];
  new PerformanceObserver((list) => {
    for (const { duration } of list.getEntries()) window.longTasks.push(duration);
  }).observe({ type: 'longtask', buffered: true });
  const look = () => {
    if (document.querySelector('article')) window.firstTileAt = performance.now();
    else requestAnimationFrame(look);
  };
  requestAnimationFrame(look);
`;

export async function openBrowser(): Promise<Browser> {
  const args = ['--no-sandbox', '--disable-gpu', '--no-first-run'];
  return chromium.launch({ executablePath: CHROMIUM, args });
}

/** In a browser of its own: it knows nothing of other pages. */
export async function openPage(browser: Browser): Promise<Page> {
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 } });
  await context.addInitScript(COLLECT);
  return context.newPage();
}

/** Milliseconds of each task over 50 ms since the last call or navigation. */
export async function takeLongTasks(page: Page): Promise<number[]> {
  return page.evaluate<number[]>('window.longTasks.splice(0)');
}
