/** The events page: live, paused, scrolled back through the log, and linked to. */
import type { Page, WebSocketRoute } from 'playwright-core';
import { expect, it } from 'vitest';
import { systemClock } from '../../../server/lib/clock.ts';
import type { ApiClient } from '../../support/daemon/api-client.ts';
import {
  connection,
  listedEvents,
  loginLink,
  openDashboard,
  openGuarded,
  useBrowser,
} from '../../support/browser/browser.ts';
import { EventHome, fill } from '../../support/events/event-home.ts';
import { scanAccessibility } from '../../support/browser/scan-accessibility.ts';
import { startWaitingLoop } from '../../support/auto/waiting-loop.ts';
import { World } from '../../support/daemon/world.ts';

useBrowser();

/** Rows that the page keeps. */
const KEPT = 500;

/** Every seq of the log, newest first. */
async function kept(api: ApiClient, query = ''): Promise<number[]> {
  return (await api.events(query)).map(({ seq }) => seq).reverse();
}

async function openEvents(page: Page, api: ApiClient, query = ''): Promise<void> {
  await page.goto(`${api.url}/events${query}`);
  await page.getByRole('heading', { level: 1, name: 'Events' }).waitFor();
  await page.getByText(/\d events?$/).waitFor();
}

/** Resolves when the page lists exactly these, in this order. */
async function expectListed(page: Page, numbers: () => Promise<number[]>): Promise<void> {
  await expect
    .poll(async () => {
      const [listed, wanted] = [(await listedEvents(page)).join(), (await numbers()).join()];
      return listed === wanted ? 'the same' : `${listed} in place of ${wanted}`;
    })
    .toBe('the same');
}

function button(page: Page, name: string | RegExp) {
  return page.getByRole('button', { name });
}

it('EP1, EP2 events appear as they come; what comes in a pause is counted, then shown, each once', async () => {
  await using world = new World();
  const { api } = await world.start();
  const addEvents = await startWaitingLoop(world, api);
  await using page = await openDashboard(api);
  await openEvents(page, api);
  await expectListed(page, async () => kept(api));
  await addEvents(3);
  await expectListed(page, async () => kept(api));

  await button(page, 'Pause').click();
  const before = await kept(api);
  await addEvents(37);
  await page.getByText('37 new').waitFor();
  await expectListed(page, async () => Promise.resolve(before));
  await button(page, 'Show new events').click();
  await expectListed(page, async () => kept(api));
});

it('EP5 the log is read back to its oldest event, and forward again, without a gap', async () => {
  await using world = new World();
  using home = new EventHome(world.home);
  fill(home.open({}, systemClock).log, KEPT + 300);
  home[Symbol.dispose]();
  const { api } = await world.start();
  await using page = await openDashboard(api);
  await openEvents(page, api);
  const listed = async () => (await listedEvents(page)).length;
  await expect.poll(listed).toBeGreaterThan(99);
  expect(await listed()).toBeLessThan(KEPT);
  while (!(await page.getByText('No older events in the log.').isVisible())) {
    await button(page, 'Older events').click();
    await button(page, 'Loading the log…').waitFor({ state: 'detached' });
  }
  // The page keeps a fixed number of rows; those at the top were dropped.
  await expectListed(page, async () => (await kept(api)).slice(-KEPT));
  await button(page, 'Newer events').click();
  await expect.poll(async () => (await listedEvents(page))[0]).toBeGreaterThan(KEPT);
  await button(page, 'Resume').click();
  await expect.poll(async () => (await listedEvents(page))[0]).toBe((await kept(api))[0]);
  const numbers = await listedEvents(page);
  expect(numbers).toEqual((await kept(api)).slice(0, numbers.length));
});

it('EP3 a lost position in the stream is a line in the list, and no event is missing', async () => {
  await using world = new World();
  const { api } = await world.start();
  const addEvents = await startWaitingLoop(world, api);
  await using context = await openGuarded(api);
  let socket: WebSocketRoute | null = null;
  let isDeaf = false;
  await context.routeWebSocket('**/ws', (route) => {
    socket = route;
    const server = route.connectToServer();
    server.onMessage((message) => {
      if (!isDeaf) route.send(message);
    });
  });
  const page = await context.newPage();
  await page.goto(await loginLink(api));
  await connection(page, 'Live').waitFor();
  await openEvents(page, api);
  await expectListed(page, async () => kept(api));
  isDeaf = true;
  await addEvents(5);
  const [head = 0] = await kept(api);
  isDeaf = false;
  const frame = { type: 'reset', id: 1, reason: 'expired', oldest: 1, head };
  (socket as WebSocketRoute | null)?.send(JSON.stringify(frame));
  await page.getByText('disconnected for longer than the log keeps').waitFor();
  await expectListed(page, async () => kept(api));
  await addEvents(2);
  await expectListed(page, async () => kept(api));
  expect(await page.getByText('disconnected for longer than the log keeps').count()).toBe(1);
});

it('EP4 a link leads to its event, also after a reload, and says when it does not exist', async () => {
  await using world = new World();
  const { api } = await world.start();
  const addEvents = await startWaitingLoop(world, api);
  await addEvents(120);
  await using page = await openDashboard(api);
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await openEvents(page, api);
  const seq = 20;
  await button(page, `Details of event ${seq}`).click();
  await button(page, `Copy link to event ${seq}`).click();
  await button(page, 'Copied').or(page.getByText('Copied')).first().waitFor();
  const link = await page.evaluate<string>('navigator.clipboard.readText()');
  await page.goto(link);
  const event = (await api.events()).find((one) => one.seq === seq);
  for (let time = 0; time < 2; time += 1) {
    const marked = page.locator('li[aria-current=true]');
    const json = marked.getByRole('region', { name: `Event ${seq} as JSON` });
    expect(JSON.parse(await json.innerText())).toEqual(event);
    expect(await marked.isVisible()).toBe(true);
    const listed = await listedEvents(page);
    expect([listed.at(0), listed.includes(seq), listed.at(-1)]).toEqual([seq + 50, true, 1]);
    await page.reload();
  }
  await button(page, 'Newer events').click();
  await expectListed(page, async () => kept(api));
  await openEvents(page, api, `?event=elsewhere:${seq}`);
  await page.getByText('is from a different database').waitFor();
  await openEvents(page, api, link.replace(/^[^?]*/, '').replace(/\d+$/, '99999'));
  await page.getByText('The log has no event with that number yet.').waitFor();
  await button(page, 'Show latest events').click();
  await expectListed(page, async () => kept(api));
  expect(new URL(page.url()).search).toBe('');
});

it('EP6, EP7, EP8 the filter is in the address and in the command, and foreign text stays text', async () => {
  await using world = new World();
  const { api } = await world.start();
  const directory = world.taskDir('<img src=x onerror=alert(1)>');
  await api.openSession('odd', directory);
  await api.openSession('plain', world.taskDir('plain'));
  await using page = await openDashboard(api);
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await openEvents(page, api);
  await page.getByText(`Session opened in ${directory}`).waitFor();
  await page.getByText('All types').click();
  await page.getByRole('checkbox', { name: 'Sessions' }).check();
  await page.keyboard.press('Escape');
  await page.getByLabel('Session', { exact: true }).selectOption('odd');
  await page.getByLabel('Search events').fill('onerror=alert');
  const query = '&session=odd';
  const wanted = async () => {
    const opened = await api.events(`&types=session.created${query}`);
    return opened.map(({ seq }) => seq);
  };
  await expectListed(page, wanted);
  await expect.poll(() => new URL(page.url()).searchParams.get('text')).toContain('alert');
  expect(new URL(page.url()).searchParams.get('types')).toBe('session.*');
  await page.reload();
  await expectListed(page, wanted);
  expect(await page.getByLabel('Search events').inputValue()).toBe('onerror=alert');
  await button(page, /^Copy command/).click();
  await page.getByText('Copied').first().waitFor();
  expect(await page.evaluate('navigator.clipboard.readText()')).toBe(
    `loopwatch watch --types 'session.*' --session 'odd' | grep --line-buffered -iF -- 'onerror=alert'`,
  );
  await button(page, /^Details of event/).click();
  await page
    .getByRole('region', { name: /as JSON/ })
    .getByText(directory)
    .waitFor();
  expect(await page.locator('main img').count()).toBe(0);
});

it('EP10 types are chosen by keyboard, also on a phone, and what is chosen can be removed', async () => {
  await using world = new World();
  const { api } = await world.start();
  await api.openSession('web', world.taskDir('web'));
  await using page = await openDashboard(api, { viewport: { width: 390, height: 844 } });
  await openEvents(page, api, '?types=daemon.*');
  const types = () => new URL(page.url()).searchParams.get('types');
  const chosen = page.getByRole('list', { name: 'Chosen types' });
  expect(await chosen.innerText()).toContain('Daemon');
  await page.locator('summary', { hasText: 'Types (1)' }).focus();
  await page.keyboard.press('Enter');
  const search = page.getByLabel('Find a type');
  await search.waitFor();
  expect(await scanAccessibility(page)).toEqual([]);
  await page.keyboard.press('Tab');
  await page.keyboard.type('session.created');
  // The group, then the only type of it that matches.
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Space');
  await expect.poll(types).toBe('daemon.*,session.created');
  await page.keyboard.press('ArrowUp');
  await page.keyboard.press('Space');
  await expect.poll(types).toBe('session.*,daemon.*');
  // The text goes first, then the menu; the focus returns to its button.
  await page.keyboard.press('ArrowUp');
  await page.keyboard.press('Escape');
  expect(await search.inputValue()).toBe('');
  await page.keyboard.press('Escape');
  await search.waitFor({ state: 'detached' });
  expect(await page.locator('summary:focus').innerText()).toBe('Types (2)');
  await button(page, 'Remove Daemon').click();
  await expect.poll(types).toBe('session.*');
  await button(page, 'Remove Sessions').click();
  await expect.poll(types).toBeNull();
  await chosen.waitFor({ state: 'detached' });
});
