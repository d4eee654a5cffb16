import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { AxeResults } from 'axe-core';
import type { Page } from 'playwright-core';
import { sized } from '../house/random.ts';

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

const WIDE = { width: 1440, height: 900 };
const NARROW = { width: 390, height: 844 };
const TWO_LOOKS = [
  { colorScheme: 'light', ...WIDE },
  { colorScheme: 'dark', ...NARROW },
] as const;
const FOUR_LOOKS = [
  ...TWO_LOOKS,
  { colorScheme: 'dark', ...WIDE },
  { colorScheme: 'light', ...NARROW },
] as const;
/** The quick run scans each colour and each width once: what both change together is rare. */
const LOOKS = sized<readonly (typeof FOUR_LOOKS)[number][]>({
  short: TWO_LOOKS,
  middle: FOUR_LOOKS,
  long: FOUR_LOOKS,
});

/**
 * Findings of the scan on a settled page, light and dark, wide and narrow, and whether the narrow
 * page must be scrolled sideways. Must be empty.
 */
export async function scanAccessibility(page: Page): Promise<string[]> {
  await page.evaluate(`globalThis.axe ?? (() => { ${AXE} })()`);
  const findings: string[] = [];
  for (const { colorScheme, width, height } of LOOKS) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    await page.setViewportSize({ width, height });
    const { violations } = await page.evaluate<AxeResults>(
      'axe.run({ resultTypes: ["violations"] })',
    );
    const overflow = await page.evaluate<number>(
      'document.documentElement.scrollWidth - document.documentElement.clientWidth',
    );
    const found = violations.flatMap(({ id, nodes }) =>
      nodes.map((node) => `${id}: ${node.html} ${node.failureSummary ?? ''}`),
    );
    if (overflow > 0) found.push(`scrolls sideways by ${overflow} px`);
    findings.push(...found.map((text) => `${colorScheme} ${width}: ${text}`));
  }
  return findings;
}
