/** Runs on their pages, with a real daemon, a repository and the stand-in as the agent. */
import { expect, it } from 'vitest';
import type { Interaction } from '../../../shared/schema/tasks/interaction.ts';
import { openDashboard, useBrowser } from '../../support/browser/browser.ts';
import { git } from '../../support/git/git-repository.ts';
import { join } from '../../support/daemon/invite-person.ts';
import { phasedScript, RunHome } from '../../support/runs/run-home.ts';
import { openRuns, phaseAt, showPart } from '../../support/runs/run-pages.ts';
import { scanAccessibility } from '../../support/browser/scan-accessibility.ts';
import { until } from '../../support/house/until.ts';
import { World } from '../../support/daemon/world.ts';

useBrowser();

async function home(world: World): Promise<RunHome> {
  const { api } = await world.start();
  return new RunHome(world, api);
}

/** Fails until the first fix round wrote its file. */
const ONE_FIX = 'echo the greeting is missing; test -f stand-in-fix-1.md';

it('RX3, RX9, RX10, RX20 a run is started by keyboard, and its phases come without a reload', async () => {
  await using world = new World();
  const runs = await home(world);
  await using page = await openDashboard(runs.api);
  await page.keyboard.press('g');
  await page.keyboard.press('r');
  await page.getByRole('heading', { name: 'No runs yet' }).waitFor();
  expect(await scanAccessibility(page)).toEqual([]);
  await page.keyboard.press('n');
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('button', { name: 'Start run' }).click();
  await dialog.getByText('Enter a prompt.').waitFor();
  await dialog.getByText('Enter a directory.').waitFor();
  await dialog.getByLabel('Prompt', { exact: true }).fill(phasedScript('in execute hang'));
  await dialog.getByRole('combobox', { name: 'Directory' }).fill(runs.repository);
  await dialog.getByText('More options').click();
  await dialog.getByLabel('Base branch').fill('nowhere');
  expect(await scanAccessibility(page)).toEqual([]);
  await dialog.getByRole('button', { name: 'Start run' }).click();
  // Refused at its field, and nothing typed is lost.
  await dialog.locator('[aria-invalid=true]').waitFor();
  expect(await dialog.getByLabel('Base branch').getAttribute('aria-invalid')).toBe('true');
  await dialog.getByLabel('Base branch').fill('');
  await dialog.getByRole('button', { name: 'Start run' }).click();
  await page.getByRole('heading', { level: 1, name: 'Greet by name.' }).waitFor();
  await phaseAt(page, 'Plan', 'done').waitFor();
  await phaseAt(page, 'Execute', 'now').waitFor();
  await page.getByText('0 of 2 done').waitFor();
  expect(await scanAccessibility(page)).toEqual([]);
});

it('RX12, RX13, RX15, RX16, RX18, RX25, RX41 a finished run shows its rounds, changes, report and replay', async () => {
  await using world = new World();
  const runs = await home(world);
  const { id } = await runs.start([], { test_commands: [ONE_FIX] });
  await runs.until(id, 'done');
  await runs.sees(id, 'has a report', ({ has_report }) => has_report);
  await using page = await openDashboard(runs.api);
  await openRuns(page);
  await page.getByRole('region', { name: 'Ended' }).getByRole('link').click();
  await phaseAt(page, 'Fix 1', 'done').waitFor();
  const talk = page.getByRole('region', { name: /^Conversation of/ });
  await talk.getByText('The cause is fixed.').first().waitFor();
  await showPart(page, 'Checks');
  const first = page.getByRole('region', { name: 'First review' });
  await first.getByText('the greeting is missing').first().waitFor();
  await page
    .getByRole('region', { name: 'Review after fix 1' })
    .getByText('Passed')
    .first()
    .waitFor();
  expect(await scanAccessibility(page)).toEqual([]);
  await showPart(page, 'Diff');
  await page.locator('summary', { hasText: 'stand-in-1.md' }).waitFor();
  await page.getByText('Fix 1', { exact: true }).last().click();
  await page.locator('summary', { hasText: 'stand-in-1.md' }).waitFor({ state: 'detached' });
  await page.locator('summary', { hasText: 'stand-in-fix-1.md' }).waitFor();
  expect(await scanAccessibility(page)).toEqual([]);
  await showPart(page, 'Report');
  await page.getByRole('heading', { name: 'Outcome' }).waitFor();
  expect(await scanAccessibility(page)).toEqual([]);
  await showPart(page, 'Replay');
  const moment = page.getByRole('region', { name: 'The run at this moment' });
  await moment.getByText(/^Before the first of/).waitFor();
  await page.getByRole('button', { name: 'Next event' }).click();
  await moment.getByText(/created/).waitFor();
  const marks = page.getByRole('list', { name: 'Jump to a phase' });
  await marks.getByRole('button', { name: 'Fix 1' }).click();
  await moment.getByRole('listitem').filter({ hasText: 'Fix 1, now' }).waitFor();
  await page.getByRole('slider', { name: 'Position in the replay' }).press('End');
  await moment.getByRole('listitem').filter({ hasText: 'Complete, done' }).waitFor();
  const said = (await runs.api.get(`/api/runs/${id}/interactions`)).body['interactions'];
  const long = (said as Interaction[]).findLast(({ content, tool }) => {
    return content.length > 400 && tool === null;
  });
  const message = moment.locator(`[data-entry="${long?.id}"] .words`);
  // Its event has 300 characters of it.
  await until('the whole message', async () => {
    return ((await message.textContent()) ?? '').length > 350 || null;
  });
  await page.getByText('64×').click();
  await page.getByRole('button', { name: 'Play', exact: true }).click();
  await page.getByRole('button', { name: 'Pause', exact: true }).waitFor();
  // From the beginning to the end again, on its own.
  await page.getByRole('button', { name: 'Play', exact: true }).waitFor();
  await moment.getByRole('listitem').filter({ hasText: 'Complete, done' }).waitFor();
  expect(await scanAccessibility(page)).toEqual([]);
  await page.goto(`${runs.api.url}/usage`);
  await page.getByRole('link', { name: 'Greet by name.', exact: true }).waitFor();
  await page.goto(`${runs.api.url}/events`);
  await page.getByRole('link', { name: '“Greet by name.”' }).first().click();
  await page.getByRole('heading', { level: 1, name: 'Greet by name.' }).waitFor();
});

it('RX11, RX17, RX25 a plan is edited from its inbox item, changed elsewhere meanwhile, and accepted', async () => {
  await using world = new World();
  const runs = await home(world);
  const { id } = await runs.start([], { review_plan: true });
  await runs.until(id, 'waiting');
  await using page = await openDashboard(runs.api);
  await page
    .getByRole('link', { name: /^Inbox/ })
    .first()
    .click();
  const { title } = (await runs.api.get(`/api/runs/${id}`)).body;
  await page.getByRole('link', { name: `run “${String(title)}”` }).waitFor();
  await page.getByRole('link', { name: 'Open run' }).click();
  await page.getByText('Needs you', { exact: true }).waitFor();
  await page.getByRole('button', { name: 'Review plan' }).click();
  await page.getByRole('button', { name: 'Edit plan' }).click();
  const text = page.getByLabel('Plan', { exact: true });
  await text.fill('# Plan\n\n- [ ] Greet in Latin');
  await page.getByText('Against the agent’s version').waitFor();
  expect(await scanAccessibility(page)).toEqual([]);
  const plan = (await runs.api.get(`/api/runs/${id}/plan`)).body;
  const other = { text: '# Plan\n\n- [ ] Greet in Greek', hash: plan['hash'] };
  expect((await runs.api.send('PUT', `/api/runs/${id}/plan`, other)).status).toBe(200);
  await page.getByText('The plan was changed elsewhere while you edited.').waitFor();
  expect(await text.inputValue()).toContain('Latin');
  await page.getByRole('button', { name: 'Keep mine' }).click();
  await page.getByRole('button', { name: 'Save plan' }).click();
  await page.getByText('Greet in Latin').first().waitFor();
  await page.getByRole('button', { name: 'Accept plan' }).click();
  await runs.until(id, 'done');
  await phaseAt(page, 'Execute', 'done').waitFor();
});

it('RX14 a run is stopped with a reason, written to, and resumed in another phase', async () => {
  await using world = new World();
  const runs = await home(world);
  const { id } = await runs.start(['in execute turn 1 hang']);
  await runs.sees(id, 'is heard', (run) => run.conversations.execute !== null);
  await using page = await openDashboard(runs.api);
  await page.goto(`${runs.api.url}/runs/${id}`);
  await page.getByRole('textbox', { name: /^Input for/ }).fill('Use Latin.');
  await page.keyboard.press('Enter');
  await page.getByRole('list', { name: 'Recent input' }).getByText('Use Latin.').waitFor();
  await page.getByRole('button', { name: 'Stop…' }).click();
  await page.getByLabel('Reason').fill('lunch');
  expect(await scanAccessibility(page)).toEqual([]);
  await page.getByRole('button', { name: 'Stop', exact: true }).click();
  await runs.until(id, 'stopped');
  await page.getByText('Stopped', { exact: true }).first().waitFor();
  await page.getByRole('button', { name: 'Resume…' }).click();
  await page.getByLabel('Continue with').selectOption('plan');
  await page.getByRole('button', { name: 'Resume', exact: true }).click();
  await page.getByText('Resumed.').first().waitFor();
  await runs.until(id, 'done');
  await page.getByRole('button', { name: 'Merge…' }).waitFor();
});

it('RX14 a merge into a branch with other work names the files that conflict', async () => {
  await using world = new World();
  const runs = await home(world);
  const one = await runs.start(['in execute write greeting.txt Hello']);
  const two = await runs.start(['in execute write greeting.txt Ave']);
  for (const { id } of [one, two]) await runs.until(id, 'done');
  await using page = await openDashboard(runs.api);
  const merge = async (id: string) => {
    await page.goto(`${runs.api.url}/runs/${id}`);
    await page.getByRole('button', { name: 'Merge…' }).click();
    await page.getByLabel('Into branch').fill('main');
    await page.getByRole('button', { name: 'Merge', exact: true }).click();
  };
  await merge(one.id);
  await page
    .getByText(/^Merged into main as/)
    .first()
    .waitFor();
  await merge(two.id);
  await page.getByRole('list', { name: 'Conflicting files' }).getByText('greeting.txt').waitFor();
  expect(await scanAccessibility(page)).toEqual([]);
});

it('RX23 a stuck run leads to its failed check, and one out of tokens is resumed with more', async () => {
  await using world = new World();
  const runs = await home(world);
  const failing = { test_commands: ['echo the greeting is missing; exit 1'] };
  const stuck = await runs.start([], { ...failing, max_fix_rounds: 0 });
  const spent = await runs.start([], { max_tokens: 1 });
  for (const { id } of [stuck, spent]) await runs.until(id, 'failed');
  await using page = await openDashboard(runs.api);
  await page.goto(`${runs.api.url}/runs/${stuck.id}`);
  await page.locator('button.primary', { hasText: 'Show failed check' }).click();
  await page.getByText('the greeting is missing').first().waitFor();
  expect(await page.locator('article button.primary').count()).toBe(1);
  expect(await scanAccessibility(page)).toEqual([]);
  await page.goto(`${runs.api.url}/runs/${spent.id}`);
  await page.locator('button.primary', { hasText: 'Resume…' }).click();
  await page.getByRole('button', { name: 'Resume', exact: true }).click();
  await page.getByText(/reached its limit/).waitFor();
  await page.getByLabel('Additional output tokens').fill('900000');
  expect(await scanAccessibility(page)).toEqual([]);
  await page.getByRole('button', { name: 'Resume', exact: true }).click();
  await runs.until(spent.id, 'done');
  await page.locator('button.primary', { hasText: 'Merge…' }).waitFor();
});

it('RN33 a run is started with a branch to merge into, and its page says why it was not merged', async () => {
  await using world = new World();
  const runs = await home(world);
  const branch = git(runs.repository, 'symbolic-ref', '--short', 'HEAD');
  await using page = await openDashboard(runs.api);
  await openRuns(page);
  await page.keyboard.press('n');
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Prompt', { exact: true }).fill(phasedScript());
  await dialog.getByRole('combobox', { name: 'Directory' }).fill(runs.repository);
  await dialog.getByText('More options').click();
  await dialog.getByLabel('Merge into').fill('nowhere');
  await dialog.getByRole('button', { name: 'Start run' }).click();
  await dialog.getByText(/has no branch nowhere/).waitFor();
  expect(await dialog.getByLabel('Merge into').getAttribute('aria-invalid')).toBe('true');
  await dialog.getByLabel('Merge into').fill(branch);
  await dialog.getByRole('button', { name: 'Start run' }).click();
  // The repository has no tests, so nothing proves the result.
  await page
    .getByText(/nothing proves it/)
    .first()
    .waitFor();
  await page.locator('article button.primary', { hasText: 'Merge…' }).click();
  expect(await page.getByLabel('Into branch').inputValue()).toBe(branch);
  expect(await scanAccessibility(page)).toEqual([]);
  await page.getByRole('button', { name: 'Merge', exact: true }).click();
  await page.getByText(`Its work is merged into ${branch}.`).first().waitFor();
  await page
    .getByText(/nothing proves it/)
    .first()
    .waitFor({ state: 'detached' });
});

it('RX1, RX6, RX8 runs are found by status, and a cleanup says what it removes before it does', async () => {
  await using world = new World();
  const runs = await home(world);
  const done = await runs.start();
  await runs.until(done.id, 'done');
  const held = await runs.start(['in plan hang']);
  await runs.until(held.id, 'running');
  await using page = await openDashboard(runs.api);
  await openRuns(page);
  await page.getByRole('region', { name: 'Working' }).getByRole('link').waitFor();
  await page.getByLabel('Status').selectOption('done');
  await page.getByRole('region', { name: 'Working' }).waitFor({ state: 'detached' });
  expect(page.url()).toMatch(/status=done/);
  expect(await scanAccessibility(page)).toEqual([]);
  await page.getByRole('button', { name: 'Clean up…' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('button', { name: 'Preview' }).click();
  await dialog.getByRole('region', { name: 'Would be removed' }).getByText(done.id).waitFor();
  expect((await runs.api.get(`/api/runs/${done.id}`)).status).toBe(200);
  expect(await scanAccessibility(page)).toEqual([]);
  await dialog.getByRole('button', { name: 'Remove 1 run' }).click();
  await dialog.getByRole('region', { name: 'Removed' }).getByText(done.id).waitFor();
  await dialog.getByRole('button', { name: 'Close' }).click();
  expect((await runs.api.get(`/api/runs/${done.id}`)).status).toBe(404);
});

it('RX19 a viewer sees a run and can neither act nor write', async () => {
  await using world = new World();
  const runs = await home(world);
  const { id } = await runs.start([], { review_plan: true });
  await runs.until(id, 'waiting');
  const viewer = await join(runs.api, 'vera', 'viewer');
  await using page = await openDashboard(viewer.api);
  await page.goto(`${runs.api.url}/runs/${id}`);
  await page.getByText('Viewers can’t send input. Ask an operator.').waitFor();
  await showPart(page, 'Plan');
  await page.getByText('An operator must accept it.').waitFor();
  for (const name of ['Stop…', 'Accept plan', 'Edit plan', 'Review plan']) {
    expect([name, await page.getByRole('button', { name }).count()]).toEqual([name, 0]);
  }
});
