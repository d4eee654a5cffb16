/** The board of tasks: a real daemon, and the stand-in as the agent. */
import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { openDashboard, useBrowser } from '../../support/browser/browser.ts';
import { join } from '../../support/daemon/invite-person.ts';
import { scanAccessibility } from '../../support/browser/scan-accessibility.ts';
import {
  boardCard,
  column,
  dragOver,
  drop,
  namesIn,
  openBoard,
} from '../../support/tasks/task-board.ts';
import { script, TaskHome } from '../../support/tasks/task-home.ts';
import { until } from '../../support/house/until.ts';
import { World } from '../../support/daemon/world.ts';

useBrowser();

const COLUMNS = [
  'Pending',
  'Running',
  'Testing',
  'Paused',
  'Limit reached',
  'Failed',
  'Completed',
  'Stopped',
];

/** The announcement for screen readers. */
const announced = (page: Page, text: string) =>
  page.getByRole('status').filter({ hasText: text }).waitFor({ state: 'attached' });

/** A task that works until it is stopped. */
const ENDLESS = { description: script('wait 600000'), test_commands: [] };

it('TA21 every status has a column, all of them in sight at 1100 pixels and more', async () => {
  await using world = new World();
  const { api } = await world.start();
  const home = new TaskHome(world, api);
  await home.create('alpha');
  await using page = await openDashboard(api);
  await openBoard(page);
  for (const name of COLUMNS) await column(page, name).waitFor();
  await boardCard(column(page, 'Pending'), 'alpha').waitFor();
  expect(await page.getByText('No tasks', { exact: true }).count()).toBe(COLUMNS.length - 1);
  const board = page.getByRole('region', { name: 'Board' });
  const hidden = async () =>
    board.evaluate((node) => {
      const { scrollWidth, clientWidth } = node as unknown as Record<string, number>;
      return Number(scrollWidth) - Number(clientWidth);
    });
  for (const width of [1100, 1440, 2560]) {
    await page.setViewportSize({ width, height: 900 });
    expect(await hidden()).toBe(0);
  }
  await page.setViewportSize({ width: 390, height: 844 });
  for (const name of COLUMNS) {
    const box = await column(page, name).boundingBox();
    expect(box?.width).toBeGreaterThanOrEqual(0.8 * 390);
  }
  expect(await scanAccessibility(page)).toEqual([]);
});

it('TA22, TA23 a card is dragged to start its task, and to stop it after the dialog of the step', async () => {
  await using world = new World();
  const { api } = await world.start();
  const home = new TaskHome(world, api);
  await home.create('alpha', ENDLESS);
  await using page = await openDashboard(api);
  await openBoard(page);
  const [running, stopped] = [column(page, 'Running'), column(page, 'Stopped')];
  await dragOver(boardCard(page, 'alpha'), column(page, 'Completed'));
  await running.getByText('Start', { exact: true }).waitFor();
  await stopped.getByText('Not possible').waitFor();
  await drop(page);
  await page.getByText('Not possible').first().waitFor({ state: 'detached' });
  expect((await home.get('alpha')).status).toBe('PENDING');

  let answer = () => {};
  const held = new Promise<void>((resolve) => (answer = resolve));
  await page.route('**/start', async (route) => {
    await held;
    await route.continue();
  });
  await dragOver(boardCard(page, 'alpha'), running);
  await drop(page);
  // The daemon has not said anything: it is still where it was.
  const waiting = boardCard(column(page, 'Pending'), 'alpha');
  await waiting.getByText('Starting…').waitFor();
  answer();
  await boardCard(running, 'alpha').waitFor();
  await announced(page, 'alpha: Running');

  await dragOver(boardCard(page, 'alpha'), stopped);
  await stopped.getByText('Stop', { exact: true }).waitFor();
  await drop(page);
  const dialog = page.getByRole('dialog', { name: 'Stop this task?' });
  await dialog.getByRole('button', { name: 'Stop', exact: true }).click();
  await boardCard(stopped, 'alpha').waitFor();
  await home.until('alpha', 'STOPPED');
  expect(await scanAccessibility(page)).toEqual([]);
});

it('TA22 a step that takes effect after its answer is announced when it does', async () => {
  await using world = new World();
  const { api } = await world.start();
  const home = new TaskHome(world, api);
  await home.create('alpha', ENDLESS);
  await using page = await openDashboard(api);
  await openBoard(page);
  await page.route('**/start', async (route) =>
    route.fulfill({ json: { status: 'queued', seq: 1 } }),
  );
  await dragOver(boardCard(page, 'alpha'), column(page, 'Running'));
  await drop(page);
  await announced(page, 'alpha: Pending');
  await home.post('alpha', 'start');
  await announced(page, 'alpha: Running');
});

it('TA23 a refused drop says why and what to do, and the card stays', async () => {
  await using world = new World();
  const { api } = await world.start();
  const home = new TaskHome(world, api);
  // Both work in the directory itself, so only one of them can be at work.
  await home.run('second', ['wait 600000'], { use_worktree: false });
  await home.until('second', 'RUNNING');
  await home.post('second', 'stop');
  await home.run('first', ['wait 600000'], { use_worktree: false });
  await home.until('first', 'RUNNING');
  await using page = await openDashboard(api);
  await openBoard(page);
  await dragOver(boardCard(page, 'second'), column(page, 'Running'));
  await drop(page);
  const notice = page.getByRole('alert').filter({ hasText: 'second' });
  await notice.getByText(/Resume was refused\..*wait until that task ends\.$/).waitFor();
  await notice.getByRole('link', { name: 'Open task' }).waitFor();
  await boardCard(column(page, 'Stopped'), 'second').waitFor();
  expect(await scanAccessibility(page)).toEqual([]);
  await notice.getByRole('button', { name: 'Dismiss' }).click();
  await notice.waitFor({ state: 'detached' });
});

it('TA24 a card dragged within the queue gets the priority for its new place', async () => {
  await using world = new World({ LOOPWATCH_TASK_SLOTS: '1' });
  const { api } = await world.start();
  const home = new TaskHome(world, api);
  await home.run('worker', ['wait 600000']);
  await home.until('worker', 'RUNNING');
  for (const name of ['one', 'two', 'three'])
    await home.create(name, { ...ENDLESS, auto_start: true });
  await using page = await openDashboard(api);
  await openBoard(page);
  const pending = column(page, 'Pending');
  await boardCard(pending, 'three').getByText('3rd in queue').waitFor();
  await dragOver(boardCard(pending, 'three'), boardCard(pending, 'one'), 4);
  await pending.getByText('Priority 1', { exact: true }).waitFor();
  await drop(page);
  await boardCard(pending, 'three').getByText('1st in queue').waitFor();
  await boardCard(pending, 'three').getByText('Priority 1', { exact: true }).waitFor();
  await until('it is the first card', async () => (await namesIn(pending))[0] === 'three');
  expect((await home.get('three')).priority).toBe(1);
  await announced(page, 'three: Pending, priority 1, 1st in queue');
});

it('TA25 everything is done with the keyboard alone, and announced', async () => {
  await using world = new World({ LOOPWATCH_TASK_SLOTS: '1' });
  const { api } = await world.start();
  const home = new TaskHome(world, api);
  await home.run('worker', ['wait 600000']);
  await home.until('worker', 'RUNNING');
  for (const name of ['one', 'two']) await home.create(name, { ...ENDLESS, auto_start: true });
  await using page = await openDashboard(api);
  await openBoard(page);
  const pending = column(page, 'Pending');
  const focused = (name: string) => page.locator(`[data-card="${name}"]:focus`).waitFor();
  await boardCard(pending, 'two').getByText('2nd in queue').waitFor();
  await page.keyboard.press('j');
  await focused('one');
  await page.keyboard.press('ArrowRight');
  await focused('worker');
  await page.keyboard.press('ArrowLeft');
  await page.keyboard.press('ArrowDown');
  await focused('two');
  await page.keyboard.press('m');
  const menu = page.getByRole('menu', { name: 'Move two' });
  await menu.getByRole('menuitem', { name: 'Raise priority to 1' }).waitFor();
  expect(await scanAccessibility(page)).toEqual([]);
  await page.setViewportSize({ width: 1440, height: 900 });
  await page.keyboard.press('Escape');
  await menu.waitFor({ state: 'detached' });
  await focused('two');
  await page.keyboard.press('m');
  await menu.waitFor();
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await announced(page, 'two: Pending, priority 1, 1st in queue');
  await focused('two');
  await page.keyboard.press('m');
  await menu.waitFor();
  // The first one: Stop….
  await page.keyboard.press('Enter');
  const dialog = page.getByRole('dialog', { name: 'Stop this task?' });
  const stop = dialog.getByRole('button', { name: 'Stop', exact: true });
  await stop.waitFor();
  await stop.focus();
  await page.keyboard.press('Enter');
  await boardCard(column(page, 'Stopped'), 'two').waitFor();
  await announced(page, 'two: Stopped');
  // The focus moves with the card.
  await focused('two');
});

it('TA25 on a phone the menu of a card moves it', async () => {
  await using world = new World();
  const { api } = await world.start();
  const home = new TaskHome(world, api);
  await home.create('alpha', ENDLESS);
  await using page = await openDashboard(api, {
    viewport: { width: 390, height: 844 },
    hasTouch: true,
    isMobile: true,
  });
  await openBoard(page);
  await page.getByRole('button', { name: 'Move alpha' }).tap();
  await page.getByRole('menuitem', { name: 'Start' }).tap();
  await boardCard(column(page, 'Running'), 'alpha').waitFor();
  await home.until('alpha', 'RUNNING');
});

it('TA25 a viewer gets neither drag nor menu', async () => {
  await using world = new World();
  const { api } = await world.start();
  const home = new TaskHome(world, api);
  await home.create('watched', ENDLESS);
  const viewer = await join(api, 'vera', 'viewer');
  await using page = await openDashboard(viewer.api);
  await openBoard(page);
  await boardCard(page, 'watched').waitFor();
  expect(await page.getByRole('button', { name: 'Move watched' }).count()).toBe(0);
  await dragOver(boardCard(page, 'watched'), column(page, 'Running'));
  await drop(page);
  expect(await page.getByText('Start', { exact: true }).count()).toBe(0);
  expect((await home.get('watched')).status).toBe('PENDING');
});
