/** Events, history, usage, the wall and found sessions of two hosts on the pages of one. */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import Sqlite from 'better-sqlite3';
import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { DATABASE_FILE } from '../../../server/db/database.ts';
import { connection, openDashboard, useBrowser } from '../../support/browser/browser.ts';
import { FoundClient } from '../../support/found/found-client.ts';
import { expectListed } from '../../support/found/found-world.ts';
import { scanAccessibility } from '../../support/browser/scan-accessibility.ts';
import { TaskHome } from '../../support/tasks/task-home.ts';
import { openShell, typeInto } from '../../support/terminals/terminal-view.ts';
import { startTwoHosts } from '../../support/fleet/two-hosts.ts';
import { until } from '../../support/house/until.ts';

useBrowser();

const WIDE = { viewport: { width: 1440, height: 900 } };

async function filterBy(page: Page, host: string): Promise<void> {
  await page.getByRole('combobox', { name: 'Host' }).selectOption(host);
  const wanted = host === '' ? null : host;
  await until('the address', () => new URL(page.url()).searchParams.get('host') === wanted);
}

it('FW14 FW15 the events of both hosts are one live list, each with its host and its links', async () => {
  await using hosts = await startTwoHosts();
  const { alpha, build } = hosts;
  await alpha.api.openSession('first', alpha.world.taskDir('first'));
  await build.api.openSession('second', build.world.taskDir('second'));
  await alpha.api.openSession('third', alpha.world.taskDir('third'));
  await using page = await openDashboard(alpha.api, WIDE);
  await page.goto(`${alpha.api.url}/events?types=session.created`);
  const lines = page.locator('main li:has(time)');
  const listed = async (): Promise<string> =>
    (await lines.locator('.line p').allInnerTexts())
      .map((text) => text.trim().split(/\s+/).slice(0, 2).join(' '))
      .join(', ');
  const all = 'alpha third, build-1 second, alpha first';
  await until('all three', async () => (await listed()) === all, listed);

  // Live, from either host.
  await build.api.openSession('fourth', build.world.taskDir('fourth'));
  await until('the fourth', async () => (await listed()) === `build-1 fourth, ${all}`, listed);
  await page.getByText('Live', { exact: false }).first().waitFor();
  const link = lines.first().getByRole('link', { name: 'fourth' });
  expect(await link.getAttribute('href')).toBe('/hosts/build-1/sessions/fourth');
  expect(await scanAccessibility(page)).toEqual([]);

  await filterBy(page, 'build-1');
  await until('those of it', async () => (await listed()) === 'build-1 fourth, build-1 second');
  await page.reload();
  await until('those of it', async () => (await listed()) === 'build-1 fourth, build-1 second');

  // The link of an event leads to the log of its host.
  await lines.first().getByRole('button').click();
  await page.getByRole('region', { name: /as JSON$/ }).waitFor();
  await filterBy(page, '');
  await until('all four', async () => (await listed()) === `build-1 fourth, ${all}`, listed);

  // What is known of a host that is cut off stays, and the list does not claim to have more.
  hosts.cut();
  await page.getByText(/build-1 as of \d\d:\d\d/).waitFor();
  await alpha.api.openSession('fifth', alpha.world.taskDir('fifth'));
  await until('the fifth', async () => (await listed()).startsWith('alpha fifth, build-1 fourth'));
  hosts.heal();
  await page.getByText(/build-1 as of \d\d:\d\d/).waitFor({ state: 'detached' });
});

it('FW15 a search through a long log stops, and names the host whose log it is', async () => {
  await using hosts = await startTwoHosts('owner', undefined, (world, name) => {
    if (name === 'build-1') fillLog(world.home, 12_000);
  });
  await using page = await openDashboard(hosts.alpha.api, WIDE);
  await page.goto(`${hosts.alpha.api.url}/events?types=budget.set`);
  await page.getByText('No more matches in the last 10,000 events of build-1.').waitFor();
  await page.getByRole('button', { name: 'Search further back' }).click();
  await page.getByText('No events match this filter').waitFor();
});

/** Events that no filter of these tests selects. */
function fillLog(home: string, count: number): void {
  const database = new Sqlite(join(home, DATABASE_FILE));
  const insert = database.prepare(
    "INSERT INTO events (at, type, session, data, subject_kind, subject_id) VALUES (?, 'session.closed', 'old', '{\"reason\":\"ended\"}', 'session', 'old')",
  );
  database.transaction(() => {
    for (let n = 0; n < count; n += 1) insert.run(new Date(Date.now() - count + n).toISOString());
  })();
  database.close();
}

it('FW14 FW16 FW17 usage and history are sums of both hosts, each named', async () => {
  await using hosts = await startTwoHosts();
  const { alpha, build } = hosts;
  const costOf = async ({ world, api }: typeof alpha, cost: string): Promise<number> => {
    const home = new TaskHome(world, api, 'shop');
    await home.run('fix', [`cost ${cost}`, 'say Done.'], { test_commands: [] });
    return (await home.until('fix', 'COMPLETED')).total_cost_usd;
  };
  const [here, there] = await Promise.all([costOf(alpha, '0.25'), costOf(build, '1.50')]);
  await using page = await openDashboard(alpha.api, WIDE);
  await page.goto(`${alpha.api.url}/usage`);
  const totals = page.locator('dl[aria-label="Totals"]');
  const money = (amount: number): string => `$${amount.toFixed(2)}`;
  await totals.getByText(money(here + there)).waitFor();
  const byHost = page.getByRole('region', { name: 'By host' });
  await byHost.getByRole('row', { name: `build-1 ${money(there)}` }).waitFor();
  await byHost.getByRole('row', { name: `alpha ${money(here)}` }).waitFor();
  // Equal names are two pieces of work, and one person.
  const fixes = page.getByRole('region', { name: 'By work' }).getByRole('link', { name: 'fix' });
  expect(await fixes.count()).toBe(2);
  expect(await fixes.first().getAttribute('href')).toBe('/hosts/build-1/tasks/fix');
  const person = page.getByRole('region', { name: 'By person' }).getByRole('row').nth(1);
  expect(await person.innerText()).toContain(`alpha ${money(here)} · build-1 ${money(there)}`);
  expect(await scanAccessibility(page)).toEqual([]);
  await filterBy(page, 'build-1');
  await totals.getByText(money(there)).waitFor();
  expect(await byHost.count()).toBe(0);
  expect(await fixes.count()).toBe(1);

  await page.goto(`${alpha.api.url}/history`);
  await page.getByText('2 items').waitFor();
  const units = page.getByRole('article', { name: 'Task fix' });
  expect(await units.count()).toBe(2);
  await units.filter({ hasText: 'build-1' }).getByRole('link', { name: 'fix' }).first().waitFor();
  expect(await scanAccessibility(page)).toEqual([]);
  await filterBy(page, 'alpha');
  await page.getByText('1 item').waitFor();
  expect(await units.getByRole('link', { name: 'fix' }).first().getAttribute('href')).toBe(
    '/tasks/fix',
  );
});

it('FW14 a wall and the sessions elsewhere have those of both hosts', async () => {
  await using hosts = await startTwoHosts();
  const { alpha, build } = hosts;
  await openShell(alpha.api, 'web', alpha.world.taskDir('web'));
  await openShell(build.api, 'web', build.world.taskDir('web'));
  const cwd = join(build.world.root, 'tasks', 'blog');
  mkdirSync(cwd, { recursive: true });
  const client = await FoundClient.start(join(build.world.root, 'claude'), { cwd, name: 'blog' });
  try {
    await expectListed(build.api, client);
    await using page = await openDashboard(alpha.api, WIDE);
    const found = page.getByRole('region', { name: 'Elsewhere on these machines' });
    const link = found.getByRole('link', { name: 'blog' });
    await found.locator('[data-host-badge]').first().waitFor();
    expect(await link.getAttribute('href')).toBe(`/hosts/build-1/found/${client.id}`);
    await filterBy(page, 'alpha');
    await link.waitFor({ state: 'detached' });

    await page.goto(`${alpha.api.url}/wall?follow=web,web@build-1`);
    await connection(page, 'Live').waitFor();
    const panes = page.getByRole('article', { name: /^web/ });
    await until('two panes', async () => (await panes.count()) === 2);
    await typeInto(build.api, 'web', 'echo from-$((40 + 2))');
    await page
      .getByRole('article', { name: 'web on build-1' })
      .getByText('from-42')
      .first()
      .waitFor();
    expect(await scanAccessibility(page)).toEqual([]);
    await page.getByLabel('Move or remove web@build-1').waitFor();
  } finally {
    await client.kill();
  }
});
