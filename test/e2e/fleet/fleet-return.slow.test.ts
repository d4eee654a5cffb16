/** What a person sees of a host that was cut off for long, and is back. */
import { expect, it } from 'vitest';
import { connection, openDashboard, useBrowser } from '../../support/browser/browser.ts';
import { SharedBranch, SPELLINGS } from '../../support/fleet/shared-branch.ts';
import { startTwoHosts } from '../../support/fleet/two-hosts.ts';
import { SkipClock } from '../../support/house/skip-clock.ts';
import { until } from '../../support/house/until.ts';

useBrowser();

const WIDE = { viewport: { width: 1440, height: 900 } };
const SILENCE_MS = 31_000;
const PRUNED_AFTER_MS = 3_600_000;
const KEPT = 100;

it('FC7 FC12 FW7 a task that waits for another host says so, starts when an admin says that one is dead, and the other is stopped when it is back', async () => {
  const clock = new SkipClock();
  await using hosts = await startTwoHosts('owner', clock);
  const { alpha, build } = hosts;
  const there = new SharedBranch(build, SPELLINGS[0]);
  const here = new SharedBranch(alpha, SPELLINGS[1]);
  await there.begin('fix', 'fix-login');
  await there.tasks.until('fix', 'RUNNING');
  await here.begin('repair', 'fix-login');
  await here.waits('repair', 'claimed');
  await using page = await openDashboard(alpha.api, WIDE);
  await page.goto(`${alpha.api.url}/tasks/repair`);
  await page.getByText('Host build-1 works there.').first().waitFor();

  hosts.cut();
  clock.skip(SILENCE_MS);
  const claim = (await here.claims()).find(({ work }) => work.includes('task fix'));
  expect((await here.release(claim)).status).toBe(200);
  await page.getByText('Running', { exact: true }).first().waitFor();
  hosts.heal();
  await there.tasks.until('fix', 'STOPPED');

  await page.goto(`${alpha.api.url}/inbox`);
  const lost = page.getByRole('link', { name: 'fix' }).first();
  await lost.waitFor();
  expect(await lost.getAttribute('href')).toMatch(/^\/hosts\/build-1\/tasks\/fix/);
  await page.goto(`${alpha.api.url}/hosts/build-1/tasks/fix`);
  await connection(page, 'Live').waitFor();
  await page.getByText('An admin released the claim of this host').first().waitFor();
});

it('FH14 FW15 events that a host removed while it was cut off are a marked gap in the list', async () => {
  const clock = new SkipClock();
  await using hosts = await startTwoHosts('owner', clock, (world) => {
    world.environment['LOOPWATCH_RETENTION_EVENTS'] = String(KEPT);
  });
  const { alpha, build } = hosts;
  await build.api.openSession('before', build.world.taskDir('before'));
  await using page = await openDashboard(alpha.api, WIDE);
  await page.goto(`${alpha.api.url}/events`);
  await page.getByRole('link', { name: 'before' }).first().waitFor();
  hosts.cut();
  await page.getByText(/build-1 as of \d\d:\d\d/).waitFor();
  for (let n = 0; n < 2 * KEPT; n += 1) {
    const budget = { scope: 'day', measure: 'cost', limit: n + 1 };
    expect((await build.api.send('PUT', '/api/budgets', budget)).status).toBe(200);
  }
  await until('the oldest are removed', async () => {
    clock.skip(PRUNED_AFTER_MS);
    const { body } = await build.api.get('/api/status');
    return (body['retention'] as { oldest: number }).oldest > KEPT;
  });
  hosts.heal();
  const gap = /^build-1: This page was disconnected for longer than the log keeps/;
  await page.getByText(gap).waitFor();
  await page.getByText(/build-1 as of \d\d:\d\d/).waitFor({ state: 'detached' });
});
