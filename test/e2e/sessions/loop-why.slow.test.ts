/** Why a loop waits or has failed, its past loops, and the restart, on the page. */
import { expect, it } from 'vitest';
import { card, openDashboard, openSession, useBrowser } from '../../support/browser/browser.ts';
import { startLoopsInTrouble, startSteps } from '../../support/auto/loops-in-trouble.ts';
import { scanAccessibility } from '../../support/browser/scan-accessibility.ts';
import { World } from '../../support/daemon/world.ts';

useBrowser();

const CHECK = { step: 'check', result: 'PASS', next: 'exec' };
const STEP = { do: 'step', work_ms: 300, signal: CHECK };
const LONG_STEP = { ...STEP, work_ms: 3_600_000 };
const CRASH = { do: 'crash', code: 1 };

it('PG8, PG9, PG7, PG14 each state says why and by which evidence, and passes the scan', async () => {
  await using world = new World();
  const api = await startLoopsInTrouble(world);
  await using page = await openDashboard(api);
  await card(page, 'failed').getByText('Crashed too often', { exact: true }).waitFor();
  await card(page, 'quota').getByText('Waiting for quota', { exact: true }).waitFor();
  await card(page, 'stalled').getByText('Stalled', { exact: true }).waitFor();
  await card(page, 'running').getByText('Running', { exact: true }).waitFor();
  expect(await scanAccessibility(page)).toEqual([]);
  const seen = {
    running: [],
    quota: ['By its screen', "You've hit your 5-hour limit", 'for quota'],
    stalled: ['Evidence: ', 'nothing has changed for', 'recovering'],
    failed: ['By its process', 'the shell is in the foreground', 'Failed: Crashed too often'],
  };
  for (const [name, words] of Object.entries(seen)) {
    await openSession(page, name);
    const history = page.getByRole('region', { name: 'History' });
    await history.getByRole('listitem').first().waitFor();
    for (const fold of await page.locator('summary').all()) await fold.click();
    const text = `${await card(page, name).innerText()} ${await history.innerText()}`;
    expect([name, words.filter((word) => !text.includes(word))]).toEqual([name, []]);
    expect([name, await scanAccessibility(page)]).toEqual([name, []]);
    await page.getByRole('link', { name: 'Overview' }).first().click();
  }
  await openSession(page, 'failed');
  await page.getByRole('link', { name: 'What does “Crashed too often” mean?' }).first().click();
  await page.locator('#restart_limit').getByText('fix the cause').waitFor();
});

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
  await history.getByText('Working', { exact: true }).waitFor();
  expect(await history.getByRole('listitem').first().innerText()).toContain('Working');
});

it('PG13 a history that cannot be read says so and can be read again', async () => {
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
  await history.getByText('The history could not be loaded.').waitFor();
  isBroken = false;
  await history.getByRole('button', { name: 'Try again' }).click();
  await history.getByText('No loops in the log for this session yet').waitFor();
});
