/** The overview: what needs a person first, live screens of the visible sessions, one keystroke to act. */
import type { Locator, Page } from 'playwright-core';
import { expect, it } from 'vitest';
import type { ClientFrame } from '../../../shared/schema/events/protocol.ts';
import type { Session } from '../../../shared/schema/model.ts';
import type { ApiClient } from '../../support/daemon/api-client.ts';
import {
  card,
  connection,
  loginLink,
  openDashboard,
  openGuarded,
  useBrowser,
} from '../../support/browser/browser.ts';
import { startSteps } from '../../support/auto/loops-in-trouble.ts';
import { askPerson, decisionOf, QUESTION_REQUEST } from '../../support/agents/need-person.ts';
import { typeInto } from '../../support/terminals/terminal-view.ts';
import { until } from '../../support/house/until.ts';
import { startWaitingLoop } from '../../support/auto/waiting-loop.ts';
import { World } from '../../support/daemon/world.ts';

useBrowser();

const WIDE = { viewport: { width: 1440, height: 900 } };

async function openShells(world: World, api: ApiClient, names: readonly string[]): Promise<void> {
  await Promise.all(names.map(async (name) => api.openSession(name, world.taskDir(name))));
}

/** A logged-in page; `watched` holds the sessions whose screens the page has subscribed to. */
async function openRecorded(api: ApiClient, prepare?: (page: Page) => Promise<void>) {
  const context = await openGuarded(api, WIDE);
  const page = await context.newPage();
  const watched = new Set<string>();
  page.on('websocket', (socket) => {
    watched.clear();
    socket.on('framesent', ({ payload }) => {
      const frame = JSON.parse(payload.toString()) as ClientFrame;
      if (frame.type === 'watch') watched.add(frame.session);
      if (frame.type === 'unwatch') watched.delete(frame.session);
    });
  });
  await prepare?.(page);
  await page.goto(await loginLink(api));
  await connection(page, 'Live').waitFor();
  return { page, watched, [Symbol.asyncDispose]: async () => context.close() };
}

/** The sessions whose screens are visible. */
async function inSight(page: Page): Promise<string[]> {
  return page.evaluate<string[]>(`[...document.querySelectorAll('[data-thumbnail]')]
    .filter((element) => element.checkVisibility({ contentVisibilityAuto: true }))
    .filter((element) => {
      const { top, bottom } = element.getBoundingClientRect();
      return bottom > 0 && top < innerHeight;
    })
    .map((element) => element.dataset.thumbnail)`);
}

async function expectWatched(page: Page, watched: Set<string>): Promise<string[]> {
  return until('what is in sight is watched, and nothing else', async () => {
    const seen = (await inSight(page)).sort();
    return seen.join() === [...watched].sort().join() ? seen : undefined;
  });
}

/** The names of the sessions on the page, in reading order. */
async function listed(page: Page): Promise<string[]> {
  return page.locator('article h3').allInnerTexts();
}

async function hasFocus(page: Page, what: Locator): Promise<void> {
  await what.and(page.locator(':focus')).waitFor();
}

it('OV4, OV10 thumbnails are live, and only those in sight are watched', async () => {
  await using world = new World();
  const { api } = await world.start();
  const names = Array.from({ length: 15 }, (_, n) => `s${String(n).padStart(2, '0')}`);
  await openShells(world, api, names);
  await using recorded = await openRecorded(api);
  const { page, watched } = recorded;
  await page.getByRole('button', { name: 'Show idle' }).click();
  await card(page, 's00').waitFor();
  const first = await expectWatched(page, watched);
  expect(first).toContain('s00');
  expect(first).not.toContain('s14');
  await typeInto(api, 's00', 'printf "\\033[31mred %s\\033[0m\\n" $((6 * 7))');
  const row = page.locator('[data-thumbnail=s00]').getByText('red 42', { exact: true });
  await row.waitFor();
  expect(await row.getAttribute('style')).toContain('--terminal-1');

  await page.evaluate('scrollTo(0, document.body.scrollHeight)');
  await until('the last one is watched', () => watched.has('s14'));
  expect(await expectWatched(page, watched)).not.toContain('s00');
  await page.evaluate(`Object.defineProperty(document, 'hidden', { value: true, configurable: true });
    document.dispatchEvent(new Event('visibilitychange'))`);
  await until('nothing is watched behind another tab', () => watched.size === 0);
  await page.evaluate(`delete document.hidden;
    document.dispatchEvent(new Event('visibilitychange'))`);
  await until('it is watched again', () => watched.has('s14'));
  await page.getByText('List', { exact: true }).click();
  await until('lines have no screen', () => watched.size === 0);
});

it('OV1, OV5, OV12 search and filter narrow the page, and its address shows the same to others', async () => {
  await using world = new World();
  const { api } = await world.start();
  await openShells(world, api, ['alpha', 'beta', 'gamma']);
  await askPerson(world, api, 'gamma', QUESTION_REQUEST);
  await using page = await openDashboard(api, WIDE);
  await card(page, 'gamma').getByText('Which colour').waitFor();
  expect(await listed(page)).toEqual(['gamma', 'alpha', 'beta']);
  await page.keyboard.press('/');
  await page.keyboard.type('idle alph');
  await card(page, 'beta').waitFor({ state: 'detached' });
  expect(await listed(page)).toEqual(['alpha']);
  await page.waitForURL('**/?q=idle+alph');
  await page.reload();
  await card(page, 'alpha').waitFor();
  expect(await listed(page)).toEqual(['alpha']);
  expect(await page.getByRole('searchbox').inputValue()).toBe('idle alph');
  await page.keyboard.press('/');
  await page.keyboard.press('Escape');
  await card(page, 'gamma').waitFor();

  await page.getByRole('button', { name: '1 Needs you' }).click();
  await page.waitForURL('**/?show=needs');
  expect(await listed(page)).toEqual(['gamma']);
  await page.getByText('List', { exact: true }).click();
  await page.reload();
  await card(page, 'gamma').waitFor();
  expect(await listed(page)).toEqual(['gamma']);
  expect(await page.getByRole('radio', { name: 'List' }).isChecked()).toBe(true);
  await page.getByRole('button', { name: '1 Needs you', pressed: true }).click();
  await card(page, 'alpha').waitFor();
});

it('OV6, OV14 keys move through the grid, stop a loop after a confirmation, and open a session', async () => {
  await using world = new World();
  const { api } = await world.start();
  await openShells(world, api, ['a', 'b', 'c', 'd', 'e']);
  const step = { do: 'step', signal: { step: 'check', result: 'PASS', next: 'exec' } };
  await startSteps(world, api, 'runs', [{ ...step, work_ms: 3_600_000 }]);
  await using page = await openDashboard(api, WIDE);
  const link = (name: string) => card(page, name).getByRole('link', { name, exact: true });
  await card(page, 'runs').getByText('Running', { exact: true }).waitFor();
  expect(await listed(page)).toEqual(['runs', 'a', 'b', 'c', 'd', 'e']);
  await page.keyboard.press('j');
  await hasFocus(page, link('runs'));
  await page.keyboard.press('ArrowRight');
  await hasFocus(page, link('a'));
  // Four columns.
  await page.keyboard.press('ArrowDown');
  await hasFocus(page, link('e'));
  await page.keyboard.press('k');
  await hasFocus(page, link('d'));
  await page.keyboard.press('ArrowUp');
  await hasFocus(page, link('runs'));
  await page.keyboard.press('s');
  const dialog = page.getByRole('dialog', { name: 'Stop the loop of runs?' });
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  await dialog.waitFor({ state: 'detached' });
  expect(await api.loop('runs')).toMatchObject({ status: 'running' });
  await hasFocus(page, link('runs'));
  await page.keyboard.press('s');
  await dialog.getByRole('button', { name: 'Stop the loop' }).click();
  // When the card moves, the focus moves with it.
  await page.locator('article[data-section=done]').and(card(page, 'runs')).waitFor();
  await card(page, 'runs').getByText('Stopped by a person').waitFor();
  await hasFocus(page, link('runs'));
  await page.keyboard.press('Escape');
  expect(await page.evaluate('document.activeElement === document.body')).toBe(true);
  await page.keyboard.press('j');
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { level: 1, name: 'runs' }).waitFor();
});

it('OV2, OV6, OV9, OV13 the session with a question comes first, and a digit on its focused tile answers', async () => {
  await using world = new World();
  const { api } = await world.start();
  await openShells(world, api, ['alpha', 'zebra']);
  await using page = await openDashboard(api, WIDE);
  await card(page, 'zebra').waitFor();
  expect(await listed(page)).toEqual(['alpha', 'zebra']);
  const { answer } = await askPerson(world, api, 'zebra', QUESTION_REQUEST);
  await card(page, 'zebra').getByText('Which colour should the button be?').waitFor();
  await expect.poll(async () => listed(page)).toEqual(['zebra', 'alpha']);
  await page.keyboard.press('2');
  await page.keyboard.press('j');
  await card(page, 'zebra').locator('kbd').first().waitFor();
  await until('the answer', async () => {
    await page.keyboard.press('2');
    return (await card(page, 'zebra').getByText('answered by admin').count()) > 0;
  });
  expect(await decisionOf(answer)).toMatchObject({
    updatedInput: { answers: { 'Which colour should the button be?': 'Blue' } },
  });
  await expect.poll(async () => listed(page)).toEqual(['alpha', 'zebra']);
});

/** Sessions that the page knows and the daemon does not: as if all had just been closed. */
function lost(count: number): Session[] {
  return Array.from({ length: count }, (_, n) => ({
    name: `lost-${String(n).padStart(3, '0')}`,
    cwd: '/srv',
    terminal: 'tmux',
    status: 'open',
    owner: null,
    agent: null,
    created_at: '2026-01-01T00:00:00.000Z',
  }));
}

it('OV4, OV15 two hundred sessions and a burst of events leave the page live and usable', async () => {
  await using world = new World();
  const { api } = await world.start();
  const addEvents = await startWaitingLoop(world, api);
  await using recorded = await openRecorded(api, async (page) => {
    await page.route('**/api/sessions', async (route) => {
      const response = await route.fetch();
      const { sessions } = (await response.json()) as { sessions: Session[] };
      await route.fulfill({ response, json: { sessions: [...sessions, ...lost(200)] } });
    });
  });
  const { page } = recorded;
  await card(page, 'live').waitFor();
  await page.locator('p.idle', { hasText: '200 idle' }).waitFor();
  await page.getByRole('button', { name: 'Show idle' }).click();
  await until('all are listed', async () => (await listed(page)).length === 201);
  for (let top = 0; top < 30; top += 1) {
    await page.evaluate(`scrollTo(0, ${top * 400})`);
    if (top % 3 === 0) await addEvents();
  }
  await addEvents(60);
  await page.evaluate('scrollTo(0, 0)');
  await card(page, 'live').getByText('0 / 90').waitFor();
  await page.keyboard.press('/');
  await page.keyboard.type('lost-19');
  await until('the search is done', async () => (await listed(page)).length === 10);
  await connection(page, 'Live').waitFor();
});
