/** Stored runs on the page, a run that is deleted, and a run's page that lost its connection. */
import type { WebSocketRoute } from 'playwright-core';
import { expect, it } from 'vitest';
import {
  connection,
  loginLink,
  openDashboard,
  openGuarded,
  useBrowser,
} from '../../support/browser/browser.ts';
import { LEAST, putCheckpoint } from '../../support/runs/checkpoint-home.ts';
import { RunHome } from '../../support/runs/run-home.ts';
import { openRuns, phaseAt } from '../../support/runs/run-pages.ts';
import { scanAccessibility } from '../../support/browser/scan-accessibility.ts';
import { takeFromMenu } from '../../support/tasks/task-pages.ts';
import { World } from '../../support/daemon/world.ts';

useBrowser();

const PHONE = { width: 390, height: 844 };
const HOUR_MS = 60 * 60_000;

it('RX21 on a phone, stored runs show what keeps them from being resumed, and a run is deleted', async () => {
  await using world = new World();
  const { api } = await world.start();
  const runs = new RunHome(world, api);
  const put = (id: string, hours: number, fields: object) => {
    const checkpoint_time = new Date(Date.now() - hours * HOUR_MS).toISOString();
    putCheckpoint(world.home, id, { ...LEAST, session_id: id, checkpoint_time, ...fields });
  };
  put('old', 30, { prompt: 'An old one', working_dir: runs.repository });
  put('lost', 1, { prompt: 'A lost one', working_dir: `${world.root}/gone` });
  put('foreign', 1, { phase: 'PlanningWithClaude' });
  putCheckpoint(world.home, 'cut', '{"version":1');
  const { id } = await runs.start();
  await runs.until(id, 'done');
  await using page = await openDashboard(api);
  await page.setViewportSize(PHONE);
  await page.goto(new URL('/runs', page.url()).href);
  const card = (title: string) => page.getByRole('article', { name: title });
  await card('An old one').getByText('Stale', { exact: true }).waitFor();
  await card('A lost one').getByText('Directory missing', { exact: true }).waitFor();
  await page.getByText('Checkpoint is corrupt').waitFor();
  await page.getByText('its phase PlanningWithClaude is none of').waitFor();
  expect(await scanAccessibility(page)).toEqual([]);
  const widest = await page.evaluate('document.documentElement.scrollWidth');
  expect(widest).toBeLessThanOrEqual(PHONE.width);

  await card('Greet by name.').getByRole('link').click();
  await phaseAt(page, 'Execute', 'done').waitFor();
  expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(
    PHONE.width,
  );
  await takeFromMenu(page, 'Delete…');
  const dialog = page.getByRole('dialog', { name: 'Delete this run?' });
  expect(await scanAccessibility(page)).toEqual([]);
  await dialog.getByRole('button', { name: 'Delete', exact: true }).click();
  await dialog.waitFor({ state: 'detached' });
  expect((await api.get(`/api/runs/${id}`)).status).toBe(404);
});

it('RX40 of many stored runs the page reads and draws only so many, and says how many there are', async () => {
  await using world = new World();
  const { api } = await world.start();
  const checkpoint_time = new Date().toISOString();
  for (let n = 0; n < 1_003; n += 1) {
    putCheckpoint(world.home, `s${n}`, { ...LEAST, session_id: `s${n}`, checkpoint_time });
  }
  for (let n = 0; n < 203; n += 1) putCheckpoint(world.home, `cut${n}`, '{"version":1');
  await using page = await openDashboard(api);
  const runsPage = new URL('/runs', page.url()).href;
  // Ends what the first page still reads: it would be taken for the answer.
  await page.goto('about:blank');
  const listed = page.waitForResponse((response) => response.url().includes('/api/runs?'));
  await page.goto(runsPage);
  const { runs, problems } = (await (await listed).json()) as Record<string, unknown[]>;
  expect([runs?.length, problems?.length]).toEqual([1_000, 50]);
  await page.getByText('Showing the newest 1000 of 1003 runs.').waitFor();
  await page.getByText('Showing 50 of 203.').waitFor();
  await page.getByRole('button', { name: 'Clean up…' }).click();
  const dialog = page.getByRole('dialog', { name: 'Clean up runs' });
  await dialog.getByText('Completed', { exact: true }).click();
  await dialog.getByText('Corrupt', { exact: true }).click();
  await dialog.getByRole('button', { name: 'Preview' }).click();
  await dialog.getByText('… and 3 more').waitFor();
  expect(await dialog.getByRole('listitem').count()).toBe(201);
});

it('RX22 a run page that lost its connection says so, and shows what it missed', async () => {
  await using world = new World();
  const { api } = await world.start();
  const runs = new RunHome(world, api);
  const { id } = await runs.start([], { review_plan: true });
  const { wait } = await runs.until(id, 'waiting');
  expect(wait?.reason).toBe('plan_review');
  await using context = await openGuarded(api);
  const block = { isOn: false };
  const open = new Set<WebSocketRoute>();
  await context.routeWebSocket('**/ws', (socket) => {
    if (block.isOn) return void socket.close({ code: 1011 });
    open.add(socket);
    socket.connectToServer();
  });
  const page = await context.newPage();
  await page.clock.install();
  await page.goto(await loginLink(api));
  await connection(page, 'Live').waitFor();
  await openRuns(page);
  await page.getByRole('article', { name: 'Greet by name.' }).getByRole('link').click();
  await phaseAt(page, 'Plan', 'now').waitFor();

  block.isOn = true;
  for (const socket of open) void socket.close();
  await connection(page, 'Polling').waitFor();
  const plan = (await api.get(`/api/runs/${id}/plan`)).body;
  await runs.post(id, 'plan/accept', { hash: plan['hash'] });
  await runs.until(id, 'done');
  await phaseAt(page, 'Execute', 'done').waitFor();

  block.isOn = false;
  await page.getByRole('button', { name: 'Retry now' }).click();
  await connection(page, 'Live').waitFor();
  await phaseAt(page, 'Review', 'done').waitFor();
});
