/** Tasks and runs among the sessions, what is done, and how much of it a screen shows at once. */
import { expect, it } from 'vitest';
import type { Session } from '../../../shared/schema/model.ts';
import {
  card,
  connection,
  loginLink,
  openDashboard,
  openGuarded,
  useBrowser,
} from '../../support/browser/browser.ts';
import { RunHome } from '../../support/runs/run-home.ts';
import { scanAccessibility } from '../../support/browser/scan-accessibility.ts';
import { TaskHome } from '../../support/tasks/task-home.ts';
import { until } from '../../support/house/until.ts';
import { World } from '../../support/daemon/world.ts';

useBrowser();

const WIDE = { viewport: { width: 1440, height: 900 } };

it('OV16, OV17, OV18, OV21, OV22 tasks and runs are cards among the sessions, by state and by project', async () => {
  await using world = new World();
  const { api } = await world.start();
  const tasks = new TaskHome(world, api);
  const runs = new RunHome(world, api, 'other');
  await api.openSession('shell', world.taskDir('shell'));
  await tasks.run('at-work', ['hang']);
  await tasks.run('over', ['say The implementation is complete.']);
  await tasks.until('over', 'COMPLETED');
  await using page = await openDashboard(api, WIDE);
  await page.locator('article[data-section=working]').and(card(page, 'at-work')).waitFor();
  await card(page, 'over').getByText('Unverified').first().waitFor();
  await page.getByRole('button', { name: '1 Done recently' }).waitFor();
  expect(await page.locator('article h3').allInnerTexts()).toEqual(['at-work', 'over', 'shell']);
  expect(await scanAccessibility(page)).toEqual([]);

  // What starts later appears without a reload.
  await runs.start(['in plan hang']);
  await card(page, 'Greet by name.').getByText('Planning').waitFor();
  await page.getByText('1 session, 2 tasks, 1 run: none need you').waitFor({ state: 'attached' });
  await page.keyboard.press('j');
  await page.keyboard.press('j');
  await page.locator('a[data-card]:focus').waitFor();

  await page.getByLabel('Group by').selectOption('project');
  await page.waitForURL('**/?group=project');
  await page.getByRole('heading', { level: 2, name: tasks.repository }).first().waitFor();
  await page.getByText('Views', { exact: true }).click();
  await page.getByLabel('Name of this view').fill('Mine');
  await page.getByRole('button', { name: 'Save view' }).click();
  await page.goto(api.url);
  await page.getByText('Views', { exact: true }).click();
  await page.getByRole('link', { name: 'Mine' }).click();
  await page.waitForURL('**/?group=project');
  await page.getByRole('heading', { level: 2, name: tasks.repository }).first().waitFor();
  expect(await scanAccessibility(page)).toEqual([]);
  await page.getByRole('button', { name: 'Delete view Mine' }).click();
  await page.getByRole('link', { name: 'Mine' }).waitFor({ state: 'detached' });
  await card(page, 'at-work').getByRole('link', { name: 'at-work' }).click();
  await page.getByRole('heading', { level: 1, name: 'at-work' }).waitFor();
});

/** Sessions that only the page knows. */
function shown(count: number): Session[] {
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

it('OV23, OV25, OV26 sixty sessions: idle ones fold, 24 rows fit a screen, a wide one has six columns', async () => {
  await using world = new World();
  const { api } = await world.start();
  await using context = await openGuarded(api, WIDE);
  const page = await context.newPage();
  await page.route('**/api/sessions', async (route) => {
    const response = await route.fetch();
    await route.fulfill({ response, json: { sessions: shown(60) } });
  });
  await page.goto(await loginLink(api));
  await connection(page, 'Live').waitFor();
  await page.locator('p.idle', { hasText: '60 idle' }).waitFor();
  expect(await page.locator('article').count()).toBe(0);
  await page.getByRole('button', { name: 'Show idle' }).click();
  await card(page, 'lost-059').waitFor();
  // A screen that was not read yet is no black one.
  await page.locator('[data-thumbnail].skeleton').first().waitFor();
  await page.reload();
  await card(page, 'lost-059').waitFor();
  await page.getByText('List', { exact: true }).click();
  const rows = await until('the rows are in sight', async () => {
    const inSight = await page.evaluate<number>(`[...document.querySelectorAll('article')]
      .filter((row) => row.getBoundingClientRect().bottom <= innerHeight).length`);
    return inSight > 0 ? inSight : undefined;
  });
  expect(rows).toBeGreaterThanOrEqual(24);

  await page.getByText('Tiles', { exact: true }).click();
  await page.setViewportSize({ width: 2560, height: 1300 });
  const columns = async () =>
    page.evaluate<number>(`new Set([...document.querySelectorAll('article')]
      .map((tile) => tile.getBoundingClientRect().left)).size`);
  await until('six columns', async () => (await columns()) >= 6);
  await page.getByRole('button', { name: 'Show events' }).click();
  await page.getByRole('complementary').waitFor();
  await until('six columns next to the events', async () => (await columns()) >= 6);
  await page.setViewportSize({ width: 3840, height: 1300 });
  await until('eight columns', async () => (await columns()) === 8);
});
