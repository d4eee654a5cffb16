/** The page when its connection, or the daemon itself, is lost: it shows that and reconnects. */
import type { Page, WebSocketRoute } from 'playwright-core';
import { expect, it } from 'vitest';
import type { ApiClient } from '../../support/daemon/api-client.ts';
import {
  card,
  connection,
  listedEvents,
  openDashboard,
  openGuarded,
  openSession,
  loginLink,
  screenOf,
  useBrowser,
} from '../../support/browser/browser.ts';
import { freePort } from '../../stress/free-port.ts';
import { until } from '../../support/house/until.ts';
import { startWaitingLoop } from '../../support/auto/waiting-loop.ts';
import { World } from '../../support/daemon/world.ts';

useBrowser();

/** Events the page keeps. */
const LISTED = 50;

/** Resolves when the page lists exactly what the daemon has, each event once, by what it is about. */
async function expectAllEvents(page: Page, api: ApiClient): Promise<void> {
  const show = page.getByRole('button', { name: 'Show events' });
  if (await show.isVisible()) await show.click();
  await expect
    .poll(async () => {
      const kept = (await api.events()).map(({ seq }) => seq).reverse();
      const listed = (await listedEvents(page)).toSorted((one, other) => other - one);
      const isSame = listed.join() === kept.slice(0, LISTED).join();
      return isSame ? 'the same' : `${listed.join()} in place of ${kept.join()}`;
    })
    .toBe('the same');
}

it('PG2, CN4, RC1 a killed daemon is never shown as live; after it returns no event is missing or doubled', async () => {
  await using world = new World({ PORT: String(await freePort()) });
  const first = await world.spawn();
  const addEvents = await startWaitingLoop(world, first.api);
  await addEvents(3);
  await using page = await openDashboard(first.api);
  await page.evaluate('window.isFirstDocument = true');
  await expectAllEvents(page, first.api);

  await first.kill();
  await page.getByText(/As of \d\d:\d\d:\d\d/).waitFor();
  expect(await connection(page, 'Live').count()).toBe(0);
  await connection(page, 'Offline').waitFor();
  await card(page, 'live').getByRole('button', { name: 'Stop the loop of live' }).click();
  await card(page, 'live').getByRole('alert').getByText('The daemon does not respond.').waitFor();

  const { api, url } = await world.spawn();
  expect(url).toBe(first.url);
  await page
    .getByText(/^The daemon restarted at/)
    .first()
    .waitFor();
  await api.send('PATCH', '/api/sessions/live/task-auto', { maxIterations: 77 });
  await connection(page, 'Live').waitFor();
  await card(page, 'live').getByText('0 / 77').waitFor();
  await api.send('PATCH', '/api/sessions/live/task-auto', { maxIterations: 78 });
  await card(page, 'live').getByText('0 / 78').waitFor();
  await expectAllEvents(page, api);
  expect(await page.getByText(/As of/).count()).toBe(0);
  expect(await page.evaluate('window.isFirstDocument')).toBe(true);
});

it('PG2 a daemon that hangs is not shown as live; when it continues, so does the screen', async () => {
  await using world = new World();
  const daemon = await world.spawn();
  await daemon.api.openSession('shell', world.taskDir('shell'));
  await using context = await openGuarded(daemon.api);
  const page = await context.newPage();
  await page.clock.install();
  await page.goto(await loginLink(daemon.api));
  await connection(page, 'Live').waitFor();
  await openSession(page, 'shell');
  await screenOf(page, 'shell').waitFor();
  daemon.process.kill('SIGSTOP');
  // The page pings every twenty seconds and waits ten for the answer.
  await page.clock.fastForward(20_000);
  await page.clock.fastForward(10_000);
  await page.getByText(/As of \d\d:\d\d:\d\d/).waitFor();
  expect(await connection(page, 'Live').count()).toBe(0);
  daemon.process.kill('SIGCONT');
  await connection(page, 'Live').waitFor();
  await page.getByLabel('Type into shell').fill('echo still $((40 + 2))');
  await page.keyboard.press('Enter');
  await screenOf(page, 'shell').getByText('still 42', { exact: true }).waitFor();
});

/** A page whose WebSockets are cut and refused while `isBlocked`. */
async function openBlockable(api: ApiClient) {
  const context = await openGuarded(api);
  const block = { isOn: true, attempts: 0 };
  const open = new Set<WebSocketRoute>();
  await context.routeWebSocket('**/ws', (socket) => {
    block.attempts += 1;
    if (block.isOn) {
      void socket.close({ code: 1011 });
    } else {
      open.add(socket);
      socket.connectToServer();
    }
  });
  const page = await context.newPage();
  await page.clock.install();
  await page.goto(await loginLink(api));
  return {
    page,
    block,
    cut: () => open.forEach((socket) => void socket.close()),
    [Symbol.asyncDispose]: async () => context.close(),
  };
}

it('PG3 with the WebSocket blocked the page says that it polls, and shows every change', async () => {
  await using world = new World();
  const { api } = await world.start();
  const addEvents = await startWaitingLoop(world, api);
  await using blockable = await openBlockable(api);
  const { page } = blockable;
  await connection(page, 'Polling').waitFor();
  await page.getByText('Polling instead, and retrying.').first().waitFor();
  expect(await connection(page, 'Live').count()).toBe(0);
  await addEvents(2);
  await card(page, 'live').getByText('0 / 22').waitFor();
  await expectAllEvents(page, api);
  await openSession(page, 'live');
  await page.clock.fastForward(2_000);
  await screenOf(page, 'live').getByText('/moonview:auto').waitFor();
});

it('PG3 the page goes back to live when it can, automatically and on request, and loses nothing', async () => {
  await using world = new World();
  const { api } = await world.start();
  const addEvents = await startWaitingLoop(world, api);
  await using blockable = await openBlockable(api);
  const { page, block, cut } = blockable;
  await connection(page, 'Polling').waitFor();

  // No attempt is due before ten seconds have passed; all are made after fifteen.
  const attempts = block.attempts;
  await page.clock.fastForward(15_000);
  await until('another attempt', () => block.attempts > attempts);
  expect(await connection(page, 'Live').count()).toBe(0);
  block.isOn = false;
  await until('the page is live', async () => {
    await page.clock.fastForward(15_000);
    return (await connection(page, 'Live').count()) > 0;
  });
  expect(await page.getByText('Polling instead').count()).toBe(0);
  await addEvents();
  await expectAllEvents(page, api);

  block.isOn = true;
  cut();
  await connection(page, 'Polling').waitFor();
  await addEvents();
  await card(page, 'live').getByText('0 / 22').waitFor();
  block.isOn = false;
  await retried(page);
  await addEvents();
  await expectAllEvents(page, api);
});

/** Live again: by its button, or automatically before the button was pressed. */
async function retried(page: Page): Promise<void> {
  const button = page.getByRole('button', { name: 'Retry now' });
  const pressed = button.click().catch(() => undefined);
  await Promise.race([pressed, connection(page, 'Live').waitFor()]);
  await connection(page, 'Live').waitFor();
}

it('CN2, CN3 offline it says since when and retries; back, it says how much was missed, and doubles nothing', async () => {
  await using world = new World();
  const { api } = await world.start();
  const addEvents = await startWaitingLoop(world, api);
  await using blockable = await openBlockable(api);
  const { page, block, cut } = blockable;
  await connection(page, 'Polling').waitFor();
  await page.getByText(/Polling since \d\d:\d\d:\d\d\. Data is complete/).waitFor();
  block.isOn = false;
  await retried(page);
  expect(await page.getByText(/Reconnected\./).count()).toBe(0);

  await expectAllEvents(page, api);
  const head = async () => (await api.events()).at(-1)?.seq ?? 0;
  const before = await head();
  block.isOn = true;
  await page.route('**/api/**', (route) => route.abort());
  cut();
  await connection(page, 'Offline').waitFor();
  await page.getByText(/No response since \d\d:\d\d:\d\d \(\d+ (s|min)\)\./).waitFor();
  await page.getByText(/^Retrying in \d+ s\.$/).waitFor();
  await addEvents(12);
  const missed = (await head()) - before;
  await page.unroute('**/api/**');
  block.isOn = false;
  await retried(page);
  const notice = page
    .getByText(/^Reconnected\. \d+ events were missed and are shown now\.$/)
    .first();
  const shown = Number(/\d+/.exec((await notice.textContent()) ?? '')?.[0]);
  // The daemon may have had one more to say before the page was back.
  expect(shown).toBeGreaterThanOrEqual(missed);
  expect(shown).toBeLessThanOrEqual((await head()) - before);
  await connection(page, 'Live').waitFor();
  await expectAllEvents(page, api);
});

it('CN5 a daemon of another version asks for a reload, once, and the page never reloads automatically', async () => {
  await using world = new World();
  const { api } = await world.start();
  await using context = await openGuarded(api);
  const page = await context.newPage();
  await page.route('**/api/status', async (route) => {
    const response = await route.fetch();
    const status = (await response.json()) as object;
    await route.fulfill({ response, json: { ...status, version: '99.0.0' } });
  });
  await page.goto(await loginLink(api));
  await page.evaluate('window.isFirstDocument = true');
  await page.getByText('The daemon is version 99.0.0').waitFor();
  expect(await page.evaluate('window.isFirstDocument')).toBe(true);
  await page.getByRole('button', { name: 'Reload' }).click();
  await page.getByText('reloading did not help').waitFor();
  expect(await page.getByRole('button', { name: 'Reload' }).count()).toBe(0);
});
