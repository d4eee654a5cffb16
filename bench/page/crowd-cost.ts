/**
 * What a crowd costs a slow browser: two hundred sessions and two hundred tasks on the overview,
 * sixty terminals that draw, a quarter of this processor. Needs the system's Chromium.
 */
import { setTimeout as pause } from 'node:timers/promises';
import type { BrowserContext, Page } from 'playwright-core';
import { type Figure, spread } from '../report/figures.ts';
import { median, percentile } from '../report/statistics.ts';
import { PaneWriter } from '../rig/pane-writer.ts';
import { Rig } from '../rig/rig.ts';
import { openBrowser, openPage, takeLongTasks } from './long-tasks.ts';

const SESSIONS = 200;
const DRAWING = 60;
const TASKS = 200;
/** How much slower than this machine the browser is. */
const SLOWER = 4;
const SETTLE_MS = 5_000;
/** A wheel that a person turns steadily. */
const TURNS = 60;
const TURN_PIXELS = 300;
const TURN_EVERY_MS = 100;
const LOADS = 9;
const ANSWERS = 10;
/** The daemon answers a younger request only once its agent was seen to wait, and here is none. */
const PROVEN_MS = 2_500;
const FIRST_TILE_MS = 400;
const TILE_MISSED =
  'Missed first tile: at a quarter of this processor the browser takes 180 ms to compile and start the ' +
  'page, 110 ms to draw its frame, 120 ms until the live connection stands and the state is requested, ' +
  'and 140 ms for the tiles. Only tiles that the daemon draws itself would not wait for the first three.';
const TASK_MISSED =
  'Missed longest task: the frame in which a row of tiles comes into sight, or one leaves its place, costs ' +
  'the browser itself, which draws here without a graphics processor, up to 26 ms of layout, 14 of preparing ' +
  'the painting, 12 of painting, 12 of watching what is in sight and 8 of layers; an answer also has 13 of ' +
  'style. Few objects change, so most of the layout seems to be that of one grid of 400 tiles; as a flexbox ' +
  'of fixed sizes it took half. Rows apart might do the same, but a tile that changes its row would lose ' +
  'its focus.';
/** Browsers call longer tasks long: a person feels them. */
const LONG_TASK_MS = 50;

/**
 * Runs in the page, because looking a button up by its role costs the page more than showing it: waits for
 * the button, presses it, and resolves with the milliseconds until it is gone.
 */
const PRESS_ALLOW = `new Promise((resolve) => {
  let allow, pressedAt;
  const find = () => [...document.querySelectorAll('[data-section="needs"] button[aria-label^="Allow"]')]
    .find((button) => button.ariaDisabled !== 'true');
  const step = () => {
    allow ??= find();
    if (allow && !pressedAt) {
      pressedAt = performance.now();
      allow.click();
    }
    if (!pressedAt || allow.isConnected) return requestAnimationFrame(step);
    resolve(performance.now() - pressedAt);
  };
  step();
})`;

export async function crowdCost(): Promise<Figure[]> {
  await using rig = new Rig();
  await rig.start();
  using writer = new PaneWriter((await rig.openShells(0, SESSIONS)).slice(0, DRAWING + 1));
  for (let n = 0; n < TASKS; n += 1) await rig.createTask(`task${n}`, false);
  const browser = await openBrowser();
  try {
    const page = await openPage(browser);
    await page.goto(await rig.loginLink());
    // Many idle ones are one row, until a person shows them in this browser.
    await page.getByRole('button', { name: 'Show idle' }).click();
    await page.getByRole('article').first().waitFor();
    const url = new URL('/', page.url()).href;
    const context = page.context();
    await page.close();
    const tiles = await tileTimes(context, url);
    const tab = await openSlowTab(context, url);
    writer.redraw();
    await pause(SETTLE_MS);
    return [...tiles, ...(await scrollCost(tab)), ...(await answerCost(rig, tab))];
  } finally {
    await browser.close();
  }
}

/** The overview in one more tab of the same person, once its first tile is drawn. */
async function openSlowTab(context: BrowserContext, url: string): Promise<Page> {
  const tab = await context.newPage();
  const client = await context.newCDPSession(tab);
  await client.send('Emulation.setCPUThrottlingRate', { rate: SLOWER });
  await tab.goto(url, { waitUntil: 'commit' });
  await tab.locator('article').first().waitFor();
  return tab;
}

async function tileTimes(context: BrowserContext, url: string): Promise<Figure[]> {
  const times: number[] = [];
  for (let n = 0; n < LOADS; n += 1) {
    const tab = await openSlowTab(context, url);
    times.push(await tab.evaluate<number>('window.firstTileAt'));
    await tab.close();
  }
  return [
    {
      name: named(`first tile in a new tab, p50 of ${LOADS}`),
      value: median(times),
      unit: 'ms',
      goal: { direction: 'at most', value: FIRST_TILE_MS, ifMissed: TILE_MISSED },
      ...spread(times),
    },
  ];
}

async function scrollCost(page: Page): Promise<Figure[]> {
  await page.mouse.move(720, 450);
  await takeLongTasks(page);
  for (let turn = 0; turn < TURNS; turn += 1) {
    await page.mouse.wheel(0, turn < TURNS / 2 ? TURN_PIXELS : -TURN_PIXELS);
    await pause(TURN_EVERY_MS);
  }
  return taskFigures('scrolling', await takeLongTasks(page));
}

async function answerCost(rig: Rig, page: Page): Promise<Figure[]> {
  const times: number[] = [];
  const tasks: number[] = [];
  for (let n = 0; n < ANSWERS; n += 1) {
    const answered = rig.askPermission(`shell${n}`);
    await pause(PROVEN_MS);
    await takeLongTasks(page);
    times.push(await page.evaluate<number>(PRESS_ALLOW));
    tasks.push(...(await takeLongTasks(page)));
    await answered;
  }
  return [
    {
      name: named('press until the question is gone, p50'),
      value: percentile(times, 0.5),
      unit: 'ms',
    },
    ...taskFigures('answering', tasks),
  ];
}

function taskFigures(what: string, tasks: readonly number[]): Figure[] {
  return [
    {
      name: named(`${what}, longest task`),
      value: Math.max(0, ...tasks),
      unit: 'ms',
      remark: `${tasks.length} over ${LONG_TASK_MS} ms`,
      goal: { direction: 'at most', value: LONG_TASK_MS, ifMissed: TASK_MISSED },
    },
  ];
}

function named(what: string): string {
  return `${SESSIONS} sessions, ${TASKS} tasks, ${DRAWING} drawing, a browser ${SLOWER} times slower: ${what}`;
}
