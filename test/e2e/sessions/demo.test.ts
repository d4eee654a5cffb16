/** The demo as a first-time visitor sees it. */
import { expect, it } from 'vitest';
import { card, openDashboard, screenOf, useBrowser } from '../../support/browser/browser.ts';
import { World } from '../../support/daemon/world.ts';

useBrowser();

it('SD5, SD12 one click on the empty page starts the demo, and each moment of it is explained', async () => {
  await using world = new World();
  const { api } = await world.start(undefined, { demoPace: 0.5 });
  await using page = await openDashboard(api);
  await page.getByRole('heading', { name: 'No sessions yet' }).waitFor();
  await page.getByRole('button', { name: 'Run the demo' }).click();
  const guide = page.getByRole('region', { name: 'Demo', exact: true });
  const here = guide.locator('[aria-current=true]', { hasText: /Limit$/ });
  await guide.getByText('The agent works and reports each step').waitFor();
  await screenOf(page, 'demo').getByText('Plan, written to .plan.md').waitFor();
  await guide.getByText('count as a stall').waitFor();
  await guide.getByText('A usage limit.').waitFor();
  await here.waitFor();
  await card(page, 'demo').getByText('left. Next').waitFor();
  // The guide can be hidden, and stays hidden.
  await guide.getByRole('button', { name: 'Hide the demo guide' }).click();
  await guide.waitFor({ state: 'detached' });
  await page.reload();
  await page.getByRole('heading', { level: 1, name: 'demo' }).waitFor();
  expect(await guide.count()).toBe(0);
});

it('SD12 when the demo is over it offers a loop of one’s own, and its own removal', async () => {
  await using world = new World();
  const { api } = await world.start(undefined, { demoPace: 0.1 });
  await api.send('POST', '/api/demo');
  await api.event('auto.ended');
  await using page = await openDashboard(api);
  const guide = page.getByRole('region', { name: 'Demo', exact: true });
  await guide.getByText('Demo over.').waitFor();
  await guide.getByRole('button', { name: 'Start your own loop' }).click();
  await page.getByRole('dialog', { name: 'Start a loop' }).waitFor();
  await page.keyboard.press('Escape');
  await guide.getByRole('button', { name: 'Remove the demo' }).click();
  await page.getByRole('heading', { name: 'No sessions yet' }).waitFor();
});
