/** Why a loop waits or has failed, how its runs went, and the restart, on the page. */
import { expect, it } from 'vitest';
import { card, openDashboard, openSession, useBrowser } from '../support/browser.ts';
import { startLoopsInTrouble, startSteps } from '../support/loops-in-trouble.ts';
import { scanAccessibility } from '../support/scan-accessibility.ts';
import { World } from '../support/world.ts';

useBrowser();

const CHECK = { step: 'check', result: 'PASS', next: 'exec' };
const STEP = { do: 'step', work_ms: 300, signal: CHECK };
const LONG_STEP = { ...STEP, work_ms: 3_600_000 };
const CRASH = { do: 'crash', code: 1 };

it('PG8, PG9, PG7 each state that needs a look says why and on whose word, and passes the scan', async () => {
  await using world = new World();
  const api = await startLoopsInTrouble(world);
  await using page = await openDashboard(api);
  await card(page, 'failed').getByText('Crashed too often.').waitFor();
  await card(page, 'quota').getByText('Waiting for quota', { exact: true }).waitFor();
  await card(page, 'stalled').getByText('Stalled.').waitFor();
  if (process.env['SHOTS']) await shots(page, 'overview');
  expect(await scanAccessibility(page)).toEqual([]);
  for (const name of ['running', 'quota', 'stalled', 'failed']) {
    await openSession(page, name);
    await page.getByRole('region', { name: 'History' }).getByRole('listitem').first().waitFor();
    if (process.env['SHOTS']) await shots(page, name);
    for (const fold of await page.locator('summary').all()) await fold.click();
    expect([name, await scanAccessibility(page)]).toEqual([name, []]);
    await page.setViewportSize({ width: 1440, height: 900 });
    await page.getByRole('link', { name: 'Overview' }).click();
  }
});

async function shots(page: import('playwright-core').Page, name: string): Promise<void> {
  for (const [w, h] of [[1440, 900], [390, 844]] as const)
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme });
      await page.setViewportSize({ width: w, height: h });
      await new Promise((r) => setTimeout(r, 700));
      await page.screenshot({ path: `/tmp/shots-why/${name}-${w}-${colorScheme}.png`, fullPage: true });
    }
  await page.setViewportSize({ width: 1440, height: 900 });
}

it('PG10 a failed loop is restarted from its page, and the history follows', async () => {
  await using world = new World({ LOOPWATCH_RESTART_DELAYS_MS: '1' });
  const { api } = await world.start();
  await startSteps(world, api, 'web', [STEP, CRASH]);
  await using page = await openDashboard(api);
  await openSession(page, 'web');
  const history = page.getByRole('region', { name: 'History' });
  await history.getByText('Failed: Crashed too often').waitFor();
  await history.getByText('1 iteration, 1 restart').waitFor();
  world.taskDir('web', { steps: [LONG_STEP] });
  await card(page, 'web').getByRole('button', { name: 'Restart the loop of web' }).click();
  await card(page, 'web').getByText('Running', { exact: true }).waitFor();
  await history.getByText('Goes on').waitFor();
  expect(await history.getByRole('listitem').first().innerText()).toContain('Goes on');
});

it('PG9 a history that cannot be read says so and can be read again', async () => {
  await using world = new World();
  const { api } = await world.start();
  await api.openSession('web', world.taskDir('web'));
  await using page = await openDashboard(api);
  let isBroken = true;
  await page.route('**/api/task-auto/history*', async (route) => {
    if (isBroken) await route.abort();
    else await route.continue();
  });
  await openSession(page, 'web');
  const history = page.getByRole('region', { name: 'History' });
  await history.getByText('The history could not be read.').waitFor();
  isBroken = false;
  await history.getByRole('button', { name: 'Try again' }).click();
  await history.getByText('No loop has run here yet').waitFor();
});
