import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { AxeResults } from 'axe-core';
import type { Page } from 'playwright-core';

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

const LOOKS = [
  { colorScheme: 'light', width: 1440, height: 900 },
  { colorScheme: 'dark', width: 1440, height: 900 },
  { colorScheme: 'light', width: 390, height: 844 },
  { colorScheme: 'dark', width: 390, height: 844 },
] as const;

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
