/** The content of tasks, repositories, prompts and terminals: none of it runs, loads or breaks a page. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { connection, openDashboard, screenOf, useBrowser } from '../../support/browser/browser.ts';
import { git } from '../../support/git/git-repository.ts';
import {
  CONTROLS,
  LONG_WORD,
  MADE_OF_TEXT,
  MARKUP,
  ODD,
} from '../../support/drills/hostile-corpus.ts';
import { openTask, takeFromMenu, talk } from '../../support/tasks/task-pages.ts';
import { script, TaskHome } from '../../support/tasks/task-home.ts';
import { rowsIn, viewLive } from '../../support/browser/terminal-page.ts';
import { typeInto } from '../../support/terminals/terminal-view.ts';
import { World } from '../../support/daemon/world.ts';

useBrowser();

/** Sets a global of the window: also detected where a page swallows dialogs. */
const MARK = '<img src=x onerror="globalThis.ran=1">';
const ALL = [MARK, ...MARKUP, ...CONTROLS, ...ODD, LONG_WORD].join('\n');
const MEGABYTE = `${'x'.repeat(1_000_000)}${MARK}`;
const BRANCH = 'evil/<svg/onload=alert(20)>"\u202e';
/** Names of files, and what the page shows of each. */
const FILES = [
  ['<img src=x onerror=alert(21)>', '<img src=x onerror=alert(21)>'],
  ['"quoted" and back\\slash', '"quoted" and back\\slash'],
  ['tab\there', 'tab'],
  ['über größe.txt', 'über größe.txt'],
  ['مرحبا', 'مرحبا'],
  ['gpj\u202eexe', 'gpj'],
] as const;
/** Lines that look like the diff that contains them. */
const FAKE = 'diff --git a/x b/<b>y\n--- a/x\n+++ b/<b>y\n@@ -1 +1 @@\n-- \n++ +\n\\ No newline';

async function expectTame(page: Page): Promise<void> {
  expect(await page.locator('main').locator(MADE_OF_TEXT).count()).toBe(0);
  expect(await page.evaluate('globalThis.ran ?? null')).toBeNull();
  const icon = await page.locator('link[rel=icon]').getAttribute('href');
  expect(icon).toMatch(/(^data:image\/|\/favicon\.svg$)/);
}

it('TA6 TA9 TA10 PG6 no work of a task runs on its pages, by name or by content', async () => {
  await using world = new World({ LOOPWATCH_ERROR_DELAYS_MS: '100' });
  const { api } = await world.start();
  const home = new TaskHome(world, api);
  git(home.repository, 'branch', BRANCH);
  const words = script(`say ${MARKUP.join('\\n')}`, 'huge 1000000', `say ${MARK} Done.`);
  await home.create('evil', {
    description: `${words}\n${ALL}`,
    end_criteria: ALL,
    base_branch: BRANCH,
    gates: [{ name: MARK, command: "cat fake; cat '<img src=x onerror=alert(21)>'; exit 1" }],
    test_commands: [],
  });
  const worktree = join(home.repository, '.claude_worktrees/evil');
  for (const [name] of FILES)
    writeFileSync(join(worktree, name), `${FAKE}\n${ALL.replaceAll('\0', '')}\n`);
  writeFileSync(join(worktree, 'fake'), `${MARK}\n`);
  // Last of all, because the diff is cut in it.
  writeFileSync(join(worktree, '～ megabyte'), MEGABYTE);
  await home.post('evil', 'start');
  await home.until('evil', 'FAILED');
  await using page = await openDashboard(api);
  await openTask(page, 'evil');
  expect(await page.title()).toMatch(/^(\(1\) )?evil · Loopwatch$/);
  await talk(page, 'evil').getByText(`${MARK} Done.`).last().waitFor();
  await expectTame(page);
  await page.getByText('Diff', { exact: true }).click();
  for (const [, shown] of FILES) {
    const row = page.locator('li').filter({ has: page.locator('summary').getByText(shown) });
    await row.locator('summary').first().waitFor();
    expect([shown, await row.getByText('Not shown: the file is binary').count()]).toEqual([
      shown,
      0,
    ]);
    await row.getByText('+++ b/<b>y').waitFor({ state: 'attached' });
  }
  await page.getByText('The diff is truncated').waitFor();
  await expectTame(page);
  await page
    .getByRole('group', { name: 'Task view' })
    .getByText(/^Checks/)
    .first()
    .click();
  await page.locator('li').filter({ hasText: 'exit code 1' }).getByText(MARK).first().waitFor();
  await expectTame(page);
  await takeFromMenu(page, 'Delete…');
  await page
    .getByRole('dialog')
    .getByText(/branch/)
    .first()
    .waitFor();
  await expectTame(page);
});

it('PR1 PG6 no prompt is executed in the library or in the form of a task', async () => {
  await using world = new World();
  const { api } = await world.start();
  const prompt = {
    title: MARK,
    content: ALL,
    category: MARKUP[1],
    tags: `${MARKUP.join()},${MARK}`,
  };
  const made = await api.send('POST', '/api/v1/prompts', prompt);
  expect(made.body).not.toHaveProperty('error');
  await using page = await openDashboard(api);
  await page.goto(`${api.url}/prompts`);
  await page.getByRole('article', { name: MARK }).waitFor();
  await expectTame(page);
  await page.getByRole('button', { name: `Edit ${MARK}` }).click();
  await page.getByRole('dialog').getByLabel('Title').waitFor();
  await expectTame(page);
});

it('PG6, TP9 a line of a megabyte with markup in it is text, as a snapshot and live', async () => {
  await using world = new World();
  const { api } = await world.start();
  const directory = world.taskDir('long');
  writeFileSync(join(directory, 'line'), `${MEGABYTE}\n`);
  await api.openSession('long', directory);
  await using page = await openDashboard(api);
  await page.goto(`${api.url}/sessions/long`);
  await connection(page, 'Live').waitFor();
  await typeInto(api, 'long', 'cat line');
  await screenOf(page, 'long').getByText('globalThis.ran=1').waitFor();
  await expectTame(page);
  const terminal = await viewLive(page, 'long');
  await typeInto(api, 'long', 'clear; cat line; echo still $((40 + 2))');
  await rowsIn(terminal).getByText('still 42').waitFor();
  await rowsIn(terminal).getByText('globalThis.ran=1').first().waitFor();
  await expectTame(page);
});
