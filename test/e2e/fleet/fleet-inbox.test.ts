/** What needs a person on any host: one inbox, one number, answered from here. */
import { expect, it } from 'vitest';
import { card, connection, openDashboard, useBrowser } from '../../support/browser/browser.ts';
import { askPerson, BASH_REQUEST, decisionOf } from '../../support/agents/need-person.ts';
import { scanAccessibility } from '../../support/browser/scan-accessibility.ts';
import { startTwoHosts } from '../../support/fleet/two-hosts.ts';
import { until } from '../../support/house/until.ts';

useBrowser();

const WIDE = { viewport: { width: 1440, height: 900 } };

it('FW7 FW8 the inbox has the items of all hosts, and an answer reaches the one that asks', async () => {
  await using hosts = await startTwoHosts();
  const { alpha, build } = hosts;
  const here = await askPerson(alpha.world, alpha.api, 'web', BASH_REQUEST);
  const there = await askPerson(build.world, build.api, 'web', BASH_REQUEST);
  await using page = await openDashboard(alpha.api, WIDE);
  // Where they are listed, and in the numbers of every page.
  await card(page, 'web on build-1')
    .getByRole('button', { name: /^Allow/ })
    .waitFor();
  const count = page.getByRole('navigation', { name: 'Pages' }).locator('.count');
  await until('the number of both', async () => (await count.innerText()).startsWith('2'));
  expect(await page.title()).toBe('(2) Loopwatch');
  await page.keyboard.press('g');
  await page.keyboard.press('i');
  const item = page.locator(`[data-item="${there.id}"]`);
  await item.waitFor();
  await page.locator(`[data-item="${here.id}"]`).waitFor();
  const group = page.getByRole('region', { name: /^web on build-1/ });
  await group
    .or(page.locator('section', { has: item }))
    .getByText('build-1')
    .first()
    .waitFor();
  expect(await scanAccessibility(page)).toEqual([]);
  await page.setViewportSize(WIDE.viewport);

  // By keyboard, and only the one that was focused is answered.
  await item.focus();
  await page.keyboard.press('1');
  expect(await decisionOf(there.answer)).toMatchObject({ behavior: 'allow' });
  await until('one is left', async () => (await page.title()).startsWith('(1)'));
  expect((await alpha.api.get('/api/attention?state=open')).body['items']).toHaveLength(1);

  const views = page.getByRole('group', { name: 'Inbox view' });
  await views.getByText('Closed').click();
  const closed = page.getByRole('list', { name: 'Closed items' }).getByRole('listitem');
  await closed.filter({ hasText: 'build-1' }).getByRole('link', { name: 'web' }).waitFor();
  await views.getByText('Open').click();

  // The filter, in the address.
  await page.getByRole('combobox', { name: 'Host' }).selectOption('build-1');
  await page.waitForURL('**/inbox?host=build-1');
  await page.locator(`[data-item="${here.id}"]`).waitFor({ state: 'detached' });
  await page.goBack().catch(() => null);
  // Pages that show one host alone count all the same.
  await askPerson(build.world, build.api, 'db', BASH_REQUEST);
  await page.goto(`${alpha.api.url}/checks`);
  await connection(page, 'Live').waitFor();
  await until('the number of both', async () => (await page.title()).startsWith('(2)'));
});
