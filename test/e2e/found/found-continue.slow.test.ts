/** Found sessions continued, shown in the background and ignored, as a person does it on the page. */
import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { openDashboard, useBrowser } from '../../support/browser/browser.ts';
import { expectListed, FoundWorld, gone, listed } from '../../support/found/found-world.ts';
import { join as invited } from '../../support/daemon/invite-person.ts';
import { projectOf, ResumableClient } from '../../support/events/resumable-client.ts';
import { scanAccessibility } from '../../support/browser/scan-accessibility.ts';
import { until } from '../../support/house/until.ts';

useBrowser();

const WIDE = { viewport: { width: 1440, height: 900 } };
const SAID = { type: 'user', message: { content: 'hello' } };

const panel = (page: Page) => page.getByRole('region', { name: 'Continue it here' });

it('FS46 FS49 FS50 the page says why it cannot be continued, then continues it', async () => {
  await using stage = new FoundWorld();
  const { world } = stage;
  const client = new ResumableClient(world);
  const { api } = await world.start();
  const one = await stage.client({ cwd: projectOf(world, 'shop') });
  one.say(SAID);
  await expectListed(api, one);
  await using page = await openDashboard(api, WIDE);
  await page.goto(`${new URL(page.url()).origin}/found/${one.id}`);
  await panel(page).getByText('It cannot be continued: it is still open in').waitFor();
  expect(await panel(page).getByRole('button').count()).toBe(0);
  await one.leave();
  await gone(api, one);
  await panel(page).getByText(`claude --resume conversation-${one.pid}`).waitFor();
  await panel(page).getByRole('button', { name: 'Supervise from here…' }).waitFor();
  expect(await scanAccessibility(page)).toEqual([]);
  await panel(page).getByRole('button', { name: 'Continue', exact: true }).click();
  await page.waitForURL('**/sessions/shop');
  await until('its client', () => client.calls.length === 1);
  await page.goBack();
  await panel(page).getByRole('link', { name: 'Open shop' }).waitFor();

  const { api: viewer } = await invited(api, 'Noor', 'viewer');
  await using other = await openDashboard(viewer, WIDE);
  await other.goto(`${new URL(other.url()).origin}/found/${one.id}`);
  await panel(other).getByText('your role cannot continue it').waitFor();
});

it('FS48 FS51 FS52 FS53 one in the background is shown, stopped on request and supervised', async () => {
  await using stage = new FoundWorld();
  const { world } = stage;
  const client = new ResumableClient(world);
  client.screen('\u001b[2J\u001b[Hits last output');
  const cwd = projectOf(world, 'shop');
  const old = projectOf(world, 'blog');
  client.agents([
    { kind: 'background', id: 'd1', cwd: old, sessionId: 'blog-1', state: 'done', name: 'post' },
  ]);
  const writer = await stage.client({ cwd: old, sessionId: 'blog-1' });
  const content = [{ type: 'text', text: 'The post is written.' }];
  writer.say({ type: 'assistant', message: { model: 'm', content } });
  await writer.leave();
  const { api } = await world.start();
  const one = await stage.client({ cwd, kind: 'bg', jobId: 'b1' });
  one.say(SAID);
  await expectListed(api, one);
  await using page = await openDashboard(api, WIDE);
  await page.getByText('Ended in the background').waitFor();
  await page.getByText('The post is written.').waitFor();
  expect(await scanAccessibility(page)).toEqual([]);
  await page.getByRole('link', { name: 'post', exact: true }).click();
  await page.getByRole('heading', { name: 'Result' }).waitFor();
  await page.getByText('Ended in the background: done').waitFor();
  expect(await scanAccessibility(page)).toEqual([]);

  await page.goto(`${new URL(page.url()).origin}/found/${one.id}`);
  await page.getByText('its last output').waitFor();
  await panel(page).getByRole('button', { name: 'Attach to it' }).waitFor();
  expect(await scanAccessibility(page)).toEqual([]);
  await panel(page).getByRole('button', { name: 'Supervise from here…' }).click();
  const confirm = page.getByRole('dialog', { name: 'End it in the background?' });
  await confirm.getByRole('button', { name: 'Cancel' }).click();
  expect(one.isRunning).toBe(true);
  await panel(page).getByRole('button', { name: 'Supervise from here…' }).click();
  await confirm.getByRole('button', { name: 'End it and continue' }).click();
  await page.getByRole('dialog', { name: 'Start a loop' }).waitFor();
  await page.waitForURL('**/sessions/shop');
  expect(one.isRunning).toBe(false);
});

it('FS55 FS56 FS57 an admin ignores a project on its page, and takes it back', async () => {
  await using stage = new FoundWorld();
  const { world } = stage;
  const { api } = await world.start();
  const cwd = projectOf(world, 'diary');
  const one = await stage.client({ cwd });
  await expectListed(api, one);
  await using page = await openDashboard(api, WIDE);
  await page.goto(`${new URL(page.url()).origin}/found/${one.id}`);
  await page.getByRole('button', { name: 'Ignore this project…' }).click();
  const dialog = page.getByRole('dialog', { name: 'Ignored directories' });
  await dialog.getByText('No directories are ignored.').waitFor();
  expect(await dialog.getByLabel('Directory').inputValue()).toBe(cwd);
  await dialog.getByLabel('Directory').press('Enter');
  await dialog.getByRole('button', { name: `Show again: ${cwd}` }).waitFor();
  expect(await scanAccessibility(page)).toEqual([]);
  expect(await listed(api)).toEqual([]);
  await dialog.getByRole('button', { name: 'Close' }).last().click();
  await page.getByText('Its directory is ignored').waitFor();
  await page.getByRole('link', { name: 'Overview' }).first().click();
  await page.getByRole('button', { name: 'Ignored directories…' }).click();
  await dialog.getByRole('button', { name: `Show again: ${cwd}` }).click();
  await dialog.getByText('No directories are ignored.').waitFor();
  await expectListed(api, one);
});
