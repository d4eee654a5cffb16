/** The checks page: what is missing, how to install it, and facts about the daemon. */
import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { openDashboard, useBrowser } from '../../support/browser/browser.ts';
import { scanAccessibility } from '../../support/browser/scan-accessibility.ts';
import { World } from '../../support/daemon/world.ts';

useBrowser();

async function openChecks(page: Page): Promise<void> {
  await page.getByRole('link', { name: 'Checks', exact: true }).click();
  await page.getByRole('heading', { level: 1, name: 'Checks' }).waitFor();
}

it('CP1, CP2 missing things come first with their command, and are found once installed', async () => {
  await using world = new World({ LOOPWATCH_CLAUDE: 'some-agent' });
  const { api } = await world.start();
  await using page = await openDashboard(api);
  await openChecks(page);
  const first = page.locator('[data-check]').first();
  await first.getByRole('heading', { name: 'Agent' }).waitFor();
  await first.getByText('Missing', { exact: true }).waitFor();
  await first.getByText('The agent "some-agent" is not installed').waitFor();
  await first.getByText('without its program only the demo').waitFor();
  await first.getByRole('button', { name: 'Copy npm install -g' }).click();
  // Copied, or at least selected where copying is not allowed.
  await first
    .getByText(/^(Copied|Selected: press Ctrl\+C)$/)
    .first()
    .waitFor();
  await page.getByText(/^\d of \d checks failed/).waitFor();
  expect(await scanAccessibility(page)).toEqual([]);
  world.writeProgram('some-agent', 'echo 2.0.0');
  await page.getByRole('button', { name: 'Check again' }).click();
  await page.getByText('The agent "some-agent" is not installed').waitFor({ state: 'detached' });
  await page.locator('[data-check=agent]').getByText('Ready', { exact: true }).waitFor();
});

it('CP1, CP3 when nothing is missing one sentence says so, next to the facts of the daemon', async () => {
  await using world = new World();
  const { api } = await world.start();
  await using page = await openDashboard(api);
  await openChecks(page);
  const { body } = await api.get('/api/status');
  const missing = (body['preflight'] as { ok: boolean; name: string }[]).filter(({ ok }) => !ok);
  expect(missing).toEqual([]);
  await page.getByText(/^All \d+ checks passed/).waitFor();
  expect(await page.getByText('Missing', { exact: true }).count()).toBe(0);
  const facts = page.getByRole('region', { name: 'Daemon' });
  for (const text of [String(body['version']), String(body['pid']), world.home]) {
    await facts.getByText(text, { exact: true }).waitFor();
  }
  await facts.getByText('ws, on Node’s own HTTP', { exact: true }).waitFor();
  await page.getByText(`${api.url}/api/openapi.json`).waitFor();
  expect(await scanAccessibility(page)).toEqual([]);
});
