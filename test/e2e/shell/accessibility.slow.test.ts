/** The accessibility scan in every state the page can be in. */
import { expect, it } from 'vitest';
import type { ApiClient } from '../../support/daemon/api-client.ts';
import {
  card,
  connection,
  loginLink,
  openDashboard,
  openGuarded,
  openSession,
  screenOf,
  useBrowser,
} from '../../support/browser/browser.ts';
import { invite, join } from '../../support/daemon/invite-person.ts';
import { scanAccessibility } from '../../support/browser/scan-accessibility.ts';
import { until } from '../../support/house/until.ts';
import { World } from '../../support/daemon/world.ts';

useBrowser();

const HOUR_MS = '3600000';
const CHECK = { step: 'check', result: 'PASS', next: 'exec' };
const STEP = { do: 'step', work_ms: 50, signal: CHECK };
const LONG_STEP = { ...STEP, work_ms: Number(HOUR_MS) };
const CRASH = { do: 'crash', code: 1 };

async function startLoop(world: World, api: ApiClient, name: string, steps: object[]) {
  const directory = world.taskDir(name, { steps });
  await api.openSession(name, directory);
  const { status, body } = await api.startLoop(name, directory);
  expect({ name, status, body }).toMatchObject({ status: 201 });
}

async function reaches(api: ApiClient, name: string, status: string): Promise<void> {
  await until(`${name} is ${status}`, async () => (await api.loop(name)).status === status);
}

/** A daemon with a loop in each lasting state. */
async function startAllStates(world: World): Promise<ApiClient> {
  const first = await world.start();
  await startLoop(world, first.api, 'failed', [STEP, CRASH]);
  await reaches(first.api, 'failed', 'failed');
  await first.daemon.close();
  // The next restart waits longer than the test.
  world.environment['LOOPWATCH_RESTART_DELAYS_MS'] = HOUR_MS;
  const { api } = await world.start();
  await startLoop(world, api, 'waiting', [STEP, CRASH]);
  await startLoop(world, api, 'stopping', [{ do: 'deaf' }, STEP, LONG_STEP]);
  await startLoop(world, api, 'a-session-with-a-name-of-32-char', [STEP, LONG_STEP]);
  await reaches(api, 'waiting', 'restart_wait');
  await until('the agent is deaf', async () => (await api.loop('stopping')).iteration === 1);
  await api.send('DELETE', '/api/sessions/stopping/task-auto');
  await reaches(api, 'stopping', 'stopping');
  return api;
}

it('PG7 the scan finds nothing on the login, before and after a wrong token', async () => {
  await using world = new World();
  const { api } = await world.start();
  await using context = await openGuarded(api);
  const page = await context.newPage();
  await page.goto(api.url);
  await page.getByRole('button', { name: 'Log in' }).click();
  await page.getByText('Paste a login link or a token.').waitFor();
  expect(await scanAccessibility(page)).toEqual([]);
});

it('PG7 the scan finds nothing on an empty overview that misses its agent', async () => {
  await using world = new World({ LOOPWATCH_CLAUDE: 'an-agent-that-is-not-there' });
  const { api } = await world.start();
  await using page = await openDashboard(api);
  await page.getByRole('heading', { name: 'No sessions yet' }).waitFor();
  expect(await scanAccessibility(page)).toEqual([]);
});

it('PG7 the scan finds nothing on an overview with a loop in every state, or on its dialogs', async () => {
  await using world = new World({ LOOPWATCH_STOP_GRACE_MS: HOUR_MS });
  const api = await startAllStates(world);
  await using page = await openDashboard(api);
  for (const word of ['Failed', 'Waiting to restart', 'Stopping', 'Running']) {
    await page.locator('article').getByText(word, { exact: true }).waitFor();
  }
  for (const layout of ['Tiles', 'List']) {
    await page.getByText(layout, { exact: true }).click();
    expect([layout, await scanAccessibility(page)]).toEqual([layout, []]);
  }

  await page.keyboard.press('n');
  const dialog = page.getByRole('dialog', { name: 'Start a loop' });
  await dialog.getByLabel('Task directory').fill('not/absolute');
  await dialog.getByRole('button', { name: 'Start loop' }).click();
  await dialog.locator('[aria-invalid=true]').waitFor();
  expect(await scanAccessibility(page)).toEqual([]);
});

it('PG7 the scan finds nothing on the page of a session, with and without its terminal', async () => {
  await using world = new World();
  const { api } = await world.start();
  await startLoop(world, api, 'session', [STEP, LONG_STEP]);
  await using page = await openDashboard(api);
  await openSession(page, 'session');
  await card(page, 'session').getByText('1 / 20').waitFor();
  await screenOf(page, 'session').getByText('/moonview:auto').first().waitFor();
  expect(await scanAccessibility(page)).toEqual([]);
  await api.send('DELETE', '/api/sessions/session');
  await page.getByText('This session is closed.').waitFor();
  expect(await scanAccessibility(page)).toEqual([]);
  await page.goto(`${api.url}/sessions/nobody`);
  await page.getByRole('heading', { name: 'No such session' }).waitFor();
  expect(await scanAccessibility(page)).toEqual([]);
});

it('PG7 the scan finds nothing on the pages of past loops and of events, empty and filled', async () => {
  await using world = new World();
  const { api } = await world.start();
  await using page = await openDashboard(api);
  await page.goto(`${api.url}/history`);
  await page.getByRole('heading', { name: 'No work in this time' }).waitFor();
  expect(await scanAccessibility(page)).toEqual([]);
  await startLoop(world, api, 'past', [STEP, CRASH]);
  await reaches(api, 'past', 'failed');
  await page.getByText('Crashed too often').first().waitFor();
  await page.locator('[role=slider] canvas').first().waitFor();
  for (const fold of await page.locator('main summary').all()) await fold.click();
  expect(await scanAccessibility(page)).toEqual([]);
  await page.goto(`${api.url}/events?types=auto.signal,auto.started`);
  await page
    .getByRole('button', { name: /^Details of event/ })
    .first()
    .click();
  await page.getByRole('button', { name: 'Pause' }).click();
  expect(await scanAccessibility(page)).toEqual([]);
  await page.goto(`${api.url}/events?text=no-such-words`);
  await page.getByRole('heading', { name: 'No events match this filter' }).waitFor();
  expect(await scanAccessibility(page)).toEqual([]);
});

it('PG7 the scan finds nothing on the people, with a link, a question and for a viewer', async () => {
  await using world = new World();
  const { api } = await world.start();
  const { api: noor } = await join(api, 'Noor', 'viewer');
  await invite(api, 'Mia', 'operator');
  await using page = await openDashboard(api);
  await page.getByRole('link', { name: 'People' }).click();
  await page.getByLabel('Name', { exact: true }).fill('Zoe');
  await page.getByRole('button', { name: 'Create link' }).click();
  await page.getByLabel('Login link for Zoe').waitFor();
  expect(await scanAccessibility(page)).toEqual([]);
  await page.getByRole('button', { name: 'Remove Noor' }).click();
  await page.getByRole('dialog').waitFor();
  expect(await scanAccessibility(page)).toEqual([]);
  await using other = await openDashboard(noor);
  await other.getByRole('link', { name: 'People' }).click();
  await other.getByText('Only admins can see').waitFor();
  expect(await scanAccessibility(other)).toEqual([]);
});

it('PG7 the scan finds nothing while the page polls and while the daemon is away', async () => {
  await using world = new World();
  const { api, daemon } = await world.start();
  await api.openSession('shell', world.taskDir('shell'));
  await using context = await openGuarded(api);
  await context.routeWebSocket('**/ws', (socket) => void socket.close({ code: 1011 }));
  const page = await context.newPage();
  await page.goto(await loginLink(api));
  await connection(page, 'Polling').waitFor();
  await card(page, 'shell').waitFor();
  expect(await scanAccessibility(page)).toEqual([]);
  await daemon.close();
  await connection(page, 'Offline').waitFor();
  expect(await scanAccessibility(page)).toEqual([]);
});
