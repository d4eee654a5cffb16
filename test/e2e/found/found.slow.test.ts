/** Sessions that Loopwatch did not start, as a person sees them. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Locator, Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { openDashboard, useBrowser } from '../../support/browser/browser.ts';
import type { FoundClient } from '../../support/found/found-client.ts';
import { expectListed, FoundWorld } from '../../support/found/found-world.ts';
import { join as invited } from '../../support/daemon/invite-person.ts';
import { scanAccessibility } from '../../support/browser/scan-accessibility.ts';
import { until } from '../../support/house/until.ts';

useBrowser();

const WIDE = { viewport: { width: 1440, height: 900 } };
const LONG_AGO = Date.now() - 180_000;
const ASKS = { status: 'waiting', waitingFor: 'permission prompt' };

function elsewhere(page: Page): Locator {
  return page.getByRole('region', { name: 'Elsewhere on this machine' });
}

function cardOf(page: Page, name: string): Locator {
  return elsewhere(page).getByRole('article', { name, exact: true });
}

function tally(page: Page, text: RegExp): Locator {
  return page.getByRole('group', { name: 'Show only' }).getByRole('button', { name: text });
}

/** A client in a repository that works on something. */
async function worker(stage: FoundWorld, name: string): Promise<FoundClient> {
  const cwd = join(stage.world.root, 'tasks', name);
  mkdirSync(join(cwd, '.git'), { recursive: true });
  writeFileSync(join(cwd, '.git', 'HEAD'), 'ref: refs/heads/fix/prices\n');
  const client = await stage.client({ cwd, name, status: 'busy', statusUpdatedAt: LONG_AGO });
  const content = [{ type: 'tool_use', name: 'Bash', input: { command: `make ${name}` } }];
  const usage = { input_tokens: 10, cache_read_input_tokens: 42_000, output_tokens: 7 };
  client.say({
    type: 'assistant',
    timestamp: new Date().toISOString(),
    message: { id: `m-${name}`, model: 'claude-opus', content, usage },
  });
  return client;
}

it('FS18 they are listed with what they do, counted with the others, and follow their events', async () => {
  await using stage = new FoundWorld();
  const { api } = await stage.world.start();
  await api.openSession('own', stage.world.taskDir('own'));
  const shop = await worker(stage, 'shop');
  await expectListed(api, shop);
  await using page = await openDashboard(api, WIDE);
  const card = cardOf(page, 'shop');
  for (const text of [
    'Working',
    'fix/prices',
    'Bash: make shop',
    'claude-opus',
    '42.0 k context',
  ]) {
    await card.getByText(text).first().waitFor();
  }
  await tally(page, /^1 Working$/).waitFor();
  expect(await page.getByRole('article', { name: 'own', exact: true }).count()).toBe(1);

  shop.write({ ...ASKS, statusUpdatedAt: LONG_AGO + 1 });
  await card.getByText('Waiting for a person: permission').waitFor();
  await card.getByText('Answer it where it runs.').waitFor();
  await tally(page, /^1 Needs you$/).waitFor();
  await until('the title', async () => (await page.title()).startsWith('(1) '));
  const blog = await worker(stage, 'blog');
  await cardOf(page, 'blog').getByText('Bash: make blog').waitFor();

  await tally(page, /^1 Needs you$/).click();
  await cardOf(page, 'blog').waitFor({ state: 'detached' });
  await card.waitFor();
  await tally(page, /^1 Needs you$/).click();
  await page.keyboard.press('/');
  await page.keyboard.type('make blog');
  await card.waitFor({ state: 'detached' });
  await cardOf(page, 'blog').waitFor();
  await blog.leave();
  await cardOf(page, 'blog').waitFor({ state: 'detached' });
  await until('the title', async () => (await page.title()).startsWith('(1) '));
  await shop.leave();
  await until('an empty inbox', async () => !(await page.title()).startsWith('('));
});

it('FS18 nothing is read while nothing happens', async () => {
  await using stage = new FoundWorld();
  const { api } = await stage.world.start();
  const shop = await worker(stage, 'shop');
  await expectListed(api, shop);
  await using page = await openDashboard(api, WIDE);
  await cardOf(page, 'shop').waitFor();
  let reads = 0;
  page.on('request', (request) => (reads += Number(request.url().endsWith('/api/found'))));
  await page.clock.install();
  await page.clock.runFor(600_000);
  expect(reads).toBe(0);
  shop.write({ status: 'idle', statusUpdatedAt: Date.now() });
  await tally(page, /^1 Idle$/).waitFor();
});

it('FS11 FS18 FS45 a session has a page with evidence and facts, which stays after its end', async () => {
  await using stage = new FoundWorld();
  const { api } = await stage.world.start();
  const shop = await worker(stage, 'shop');
  await expectListed(api, shop);
  const { api: viewer } = await invited(api, 'Noor', 'viewer');
  await using page = await openDashboard(api, WIDE);
  await cardOf(page, 'shop').getByRole('link').click();
  await page.getByRole('heading', { level: 1, name: 'shop' }).waitFor();
  const main = page.getByRole('main');
  for (const text of [
    'by its status record',
    'Bash: make shop',
    String(shop.pid),
    '42,010 tokens',
  ]) {
    await main.getByText(text).first().waitFor();
  }
  await main.getByText('Agent in shop found: Working').waitFor();

  await using other = await openDashboard(viewer, WIDE);
  await cardOf(other, 'shop').getByText('fix/prices').waitFor();
  await cardOf(other, 'shop').getByRole('link').click();
  await other.getByRole('heading', { level: 1, name: 'shop' }).waitFor();
  await other.getByText('by its status record').waitFor();
  for (const secret of ['make shop', 'claude-opus', '42,010']) {
    expect(await other.getByText(secret).count()).toBe(0);
  }

  await shop.kill();
  await page.getByText('Killed or crashed', { exact: true }).waitFor();
  await main.getByText('Agent in shop was killed or crashed').waitFor();
  await main.getByText(`claude --resume conversation-${shop.pid}`).waitFor();
  await page.goto(`${api.url}/found/1-1`);
  await page.getByRole('heading', { name: 'No such session' }).waitFor();
});

it('FS21 a first start shows them first, with what is seen and what is not touched, once', async () => {
  await using stage = new FoundWorld();
  const { api } = await stage.world.start();
  await using page = await openDashboard(api, WIDE);
  await elsewhere(page).getByText('appear here within seconds').waitFor();
  const shop = await worker(stage, 'shop');
  await cardOf(page, 'shop').waitFor();
  const intro = elsewhere(page).getByText('no file, terminal or process of theirs is changed');
  await intro.waitFor();
  const top = async (of: Locator) => (await of.boundingBox())?.y ?? 0;
  expect(await top(cardOf(page, 'shop'))).toBeLessThan(
    await top(page.getByRole('heading', { name: 'No sessions of Loopwatch yet' })),
  );
  await elsewhere(page).getByRole('button', { name: 'Got it' }).click();
  await intro.waitFor({ state: 'detached' });
  await page.reload();
  await cardOf(page, 'shop').waitFor();
  expect(await intro.count()).toBe(0);
  expect(shop.isRunning).toBe(true);
});

it('PG7 FS18 the scan finds nothing on the group and the page, also with a hostile name', async () => {
  await using stage = new FoundWorld();
  const { api } = await stage.world.start();
  const hostile = `\u202e\u001b[31m<b>${'x'.repeat(300)}`;
  const shop = await worker(stage, 'shop');
  shop.write({ ...ASKS, name: hostile, statusUpdatedAt: LONG_AGO + 1 });
  const blog = await worker(stage, 'blog');
  await expectListed(api, shop, blog);
  await using page = await openDashboard(api, WIDE);
  await cardOf(page, 'blog').waitFor();
  for (const layout of ['Tiles', 'Large', 'List']) {
    await page.getByText(layout, { exact: true }).click();
    expect([layout, await scanAccessibility(page)]).toEqual([layout, []]);
  }
  await elsewhere(page).getByRole('article').first().getByRole('link').first().click();
  await page.getByText('Answer it where it runs.').first().waitFor();
  expect(await scanAccessibility(page)).toEqual([]);
  expect(await page.title()).not.toContain('\u202e');
});
