/** Takes screenshots of a page in the variants that matter, and notes what a page must not do. */
import { mkdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';

const SETTLE_MS = 150;
/** Higher screenshots show nothing more. */
const MAX_HEIGHT = 10_000;

const WIDE = { width: 1440, height: 900 };
const NARROW = { width: 390, height: 844 };

const ALL_VARIANTS = [
  { colorScheme: 'light', ...WIDE },
  { colorScheme: 'dark', ...WIDE },
  { colorScheme: 'light', ...NARROW },
  { colorScheme: 'dark', ...NARROW },
] as const;
export type Variant = (typeof ALL_VARIANTS)[number];
/** For states that differ only in their text. */
export const TWO_VARIANTS = [ALL_VARIANTS[0], ALL_VARIANTS[3]] as const;

/** What the browser logs for requests that a state makes fail on purpose. */
const BROKEN_CONNECTION = /^(Failed to load resource|WebSocket connection to)/;

/** Texts that are cut off where neither a title nor a scroll bar shows the rest. */
const CUT_TEXTS = `[...document.querySelectorAll('body *')].flatMap((element) => {
  const { overflowX, overflowY, position } = getComputedStyle(element);
  const text = [...element.childNodes].some((node) => node.nodeType === 3 && node.data.trim());
  const hides = (overflow) => overflow === 'hidden' || overflow === 'clip';
  const cut =
    (hides(overflowX) && element.scrollWidth > element.clientWidth + 1) ||
    (hides(overflowY) && element.scrollHeight > element.clientHeight + 4);
  // One pixel is for screen readers.
  const seen = element.clientWidth > 1 && element.clientHeight > 1 && position !== 'fixed';
  return text && cut && seen && element.closest('[title], pre, [aria-hidden=true]') === null
    ? [element.textContent.trim().replace(/\\s+/g, ' ').slice(0, 80)]
    : [];
})`;

export class Camera {
  readonly faults: string[] = [];
  readonly #directory: string;
  readonly #taken: { file: string; bytes: number }[] = [];
  #subject = '';

  /** Empties the directory of the screenshots. */
  constructor(directory: string) {
    this.#directory = directory;
    rmSync(directory, { recursive: true, force: true });
    mkdirSync(directory, { recursive: true });
  }

  /** Notes every error of that page from now on. */
  watch(page: Page): void {
    page.on('pageerror', (error) => this.#fault(error.message));
    page.on('console', (message) => {
      const text = message.text();
      if (message.type() === 'error' && !BROKEN_CONNECTION.test(text)) this.#fault(text);
    });
  }

  async take(page: Page, name: string, variants: readonly Variant[] = ALL_VARIANTS): Promise<void> {
    this.#subject = name;
    for (const { colorScheme, width, height: viewport } of variants) {
      await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
      await page.setViewportSize({ width, height: viewport });
      await page.waitForTimeout(SETTLE_MS);
      const wide = await page.evaluate<number>('document.scrollingElement.scrollWidth');
      if (wide > width) this.#fault(`${width} wide, scrolls sideways by ${wide - width} px`);
      for (const text of await page.evaluate<string[]>(CUT_TEXTS))
        this.#fault(`${width} wide, cut off: ${text}`);
      const file = `${name}-${width}-${colorScheme}.png`;
      const path = join(this.#directory, file);
      if ((await page.locator('h1').count()) === 0) this.#fault('shows nothing');
      // A dialog belongs to the window; everything else is shown to its end, up to the limit.
      const height = await page.evaluate<number>('document.scrollingElement.scrollHeight');
      const fullPage = height < MAX_HEIGHT && (await page.locator('dialog[open]').count()) === 0;
      try {
        await page.screenshot({ path, fullPage });
        this.#taken.push({ file, bytes: statSync(path).size });
      } catch (error) {
        // One page that never settles must not cost the screenshots of all others.
        this.#fault(`${width} wide, no screenshot: ${String(error).split('\n')[0] ?? ''}`);
      }
    }
  }

  /** One line per screenshot. */
  list(): string[] {
    return this.#taken.map(
      ({ file, bytes }) => `${String(Math.ceil(bytes / 1024)).padStart(6)} KB  ${file}`,
    );
  }

  #fault(text: string): void {
    this.faults.push(`${this.#subject}: ${text}`);
  }
}
