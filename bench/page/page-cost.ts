/**
 * What the page costs a browser and the daemon while fifty terminals draw all the time: the first
 * load, tasks that block a person, and what a hidden tab costs. Needs the system's Chromium.
 */
import { setTimeout as pause } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import type { CDPSession, Page } from 'playwright-core';
import type { Figure } from '../report/figures.ts';
import { cpuShare } from '../rig/process-cost.ts';
import { PaneWriter } from '../rig/pane-writer.ts';
import { Rig } from '../rig/rig.ts';
import { openBrowser, openPage, takeLongTasks } from './long-tasks.ts';

const SESSIONS = 50;
const MEASURED_MS = 30_000;
const HIDDEN_MS = 10_000;
const SETTLE_MS = 3_000;
const FIRST_LOAD_KB = 110;
/** From here a person notices it. */
const LONG_TASK_MS = 100;

/** Makes the page believe that its tab was hidden, or shown again. */
const HIDE = `
  Object.defineProperty(document, 'hidden', { value: true, configurable: true });
  Object.defineProperty(document, 'visibilityState', { value: 'hidden', configurable: true });
  document.dispatchEvent(new Event('visibilitychange'));
`;

/** Opens the overview on this many drawing sessions. */
export async function pageCost(): Promise<Figure[]> {
  await using rig = new Rig();
  await rig.start();
  using writer = new PaneWriter(await rig.openShells(0, SESSIONS));
  const browser = await openBrowser();
  try {
    const page = await openPage(browser);
    const load = weighLoad(page);
    await page.goto(await rig.loginLink());
    await page.getByRole('button', { name: 'Show idle' }).click();
    await page
      .getByRole('article')
      .nth(SESSIONS - 1)
      .waitFor();
    await page.waitForLoadState('networkidle');
    const loadBytes = await load();
    writer.redraw();
    await pause(SETTLE_MS);
    return [
      {
        name: 'page, first load, gzip',
        value: loadBytes / 1024,
        unit: 'KB',
        goal: { direction: 'at most', value: FIRST_LOAD_KB },
      },
      ...(await seenCost(rig, page)),
      ...(await hiddenCost(rig, page)),
    ];
  } finally {
    await browser.close();
  }
}

async function seenCost(rig: Rig, page: Page): Promise<Figure[]> {
  await takeLongTasks(page);
  const client = await page.context().newCDPSession(page);
  const busy = await taskSeconds(client);
  const daemon = await cpuShare(rig.pid, MEASURED_MS);
  const share = ((await taskSeconds(client)) - busy) / (MEASURED_MS / 1_000);
  const tasks = await takeLongTasks(page);
  const name = `${SESSIONS} drawing sessions on the page`;
  return [
    { name: `${name}, longest task`, value: Math.max(0, ...tasks), unit: 'ms' },
    {
      name: `${name}, tasks over ${LONG_TASK_MS} ms in ${MEASURED_MS / 1_000} s`,
      value: tasks.filter((duration) => duration > LONG_TASK_MS).length,
      unit: '',
    },
    { name: `${name}, the page's own thread`, value: share * 100, unit: '% of a core' },
    { name: `${name}, daemon CPU`, value: daemon * 100, unit: '% of a core' },
  ];
}

async function hiddenCost(rig: Rig, page: Page): Promise<Figure[]> {
  await page.evaluate(HIDE);
  await pause(SETTLE_MS);
  const client = await page.context().newCDPSession(page);
  const busy = await taskSeconds(client);
  const daemon = await cpuShare(rig.pid, HIDDEN_MS);
  const share = ((await taskSeconds(client)) - busy) / (HIDDEN_MS / 1_000);
  const name = `${SESSIONS} drawing sessions, page hidden`;
  return [
    { name: `${name}, the page's own thread`, value: share * 100, unit: '% of a core' },
    { name: `${name}, daemon CPU`, value: daemon * 100, unit: '% of a core' },
  ];
}

/** Time the page's main thread was busy, in seconds. */
async function taskSeconds(client: CDPSession): Promise<number> {
  await client.send('Performance.enable');
  const { metrics } = await client.send('Performance.getMetrics');
  return metrics.find(({ name }) => name === 'TaskDuration')?.value ?? NaN;
}

/**
 * Returns a function that reports the bytes of code and style loaded since, each file compressed
 * separately.
 */
function weighLoad(page: Page): () => Promise<number> {
  const bodies: Promise<Buffer>[] = [];
  page.on('response', (response) => {
    const type = response.request().resourceType();
    if (['document', 'script', 'stylesheet'].includes(type)) bodies.push(response.body());
  });
  return async () => {
    const weights = (await Promise.all(bodies)).map((body) => gzipSync(body).length);
    return weights.reduce((sum, weight) => sum + weight, 0);
  };
}
