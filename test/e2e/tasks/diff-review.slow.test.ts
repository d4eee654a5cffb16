/** A person reviews the diff of a task: comments on lines, one message to the agent, marks, layouts. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { loginLink, openDashboard, useBrowser } from '../../support/browser/browser.ts';
import { git } from '../../support/git/git-repository.ts';
import { join as invite } from '../../support/daemon/invite-person.ts';
import { scanAccessibility } from '../../support/browser/scan-accessibility.ts';
import { TaskHome } from '../../support/tasks/task-home.ts';
import { openTask } from '../../support/tasks/task-pages.ts';
import { until } from '../../support/house/until.ts';
import { World } from '../../support/daemon/world.ts';

useBrowser();

const STEPS = [
  'write src/greet.ts const name = "you";\\nhello(name);\\n',
  'write src/deep/inside/part.ts export {};\\n',
  'write notes.md Done.\\n',
  'commit Add a greeting',
  'say Done.',
];

/** A finished task whose agent changed three files. */
async function reviewed(world: World) {
  const { api } = await world.start();
  const home = new TaskHome(world, api);
  mkdirSync(join(home.repository, 'src'));
  writeFileSync(join(home.repository, 'src/greet.ts'), 'const name = "world";\nhello(name);\n');
  git(home.repository, 'add', '.');
  git(home.repository, 'commit', '--quiet', '--message', 'Greet the world');
  await home.run('worker', STEPS, { test_commands: [] });
  await home.until('worker', 'COMPLETED');
  return { api, home };
}

async function openDiff(page: Page): Promise<void> {
  await openTask(page, 'worker');
  await page.getByText('Diff', { exact: true }).click();
  await patch(page).waitFor();
}

const patch = (page: Page, path = 'src/greet.ts') =>
  page.getByRole('region', { name: `Changes of ${path}` });
const number = (page: Page, label: string) =>
  patch(page).getByRole('button', { name: `Comment on ${label}`, exact: true });
const bar = (page: Page) => page.getByRole('region', { name: 'Review' });

it('DV1 DV2 DV3 comments are written by keyboard and mouse, kept over a reload, and sent as one message', async () => {
  await using world = new World();
  const { api, home } = await reviewed(world);
  await using page = await openDashboard(api);
  await openDiff(page);
  // By keyboard: one number of a file is reached by Tab, arrow keys move to the others.
  expect(await patch(page).locator('button[tabindex="0"]').count()).toBe(1);
  await number(page, 'removed line 1').focus();
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await page.getByRole('textbox', { name: 'Comment on line 1' }).fill('Not a constant.');
  await page.keyboard.press('Escape');
  await page.keyboard.press('Control+Enter');
  const first = page.getByRole('group', { name: 'Comments on line 1', exact: true });
  await first.getByText('Not a constant.', { exact: true }).waitFor();
  await page.locator('button:focus', { hasText: '1' }).waitFor();
  await number(page, 'line 2').click();
  await page.getByRole('button', { name: 'Add comment' }).click();
  await page.getByRole('textbox', { name: 'Comment on line 2' }).fill('Say it louder.');
  expect(await scanAccessibility(page)).toEqual([]);
  await page.getByRole('button', { name: 'Add comment' }).click();
  await bar(page).getByText('2 comments not sent').waitFor();
  await page.reload();
  await bar(page).getByText('2 comments not sent').waitFor();
  await first.getByRole('button', { name: 'Edit' }).click();
  await page
    .getByRole('textbox', { name: 'Comment on line 1' })
    .fill('Take the name from the person.');
  await page.getByRole('button', { name: 'Save' }).click();
  // What the daemon refuses stays.
  await page.route('**/user-input', async (route) => route.abort());
  await bar(page).getByRole('button', { name: 'Send to agent' }).click();
  await bar(page)
    .getByText(/^Not sent\./)
    .waitFor();
  await first.getByText('Take the name from the person.').waitFor();
  await page.unroute('**/user-input');
  await bar(page).getByRole('button', { name: 'Send to agent' }).click();
  await bar(page).getByText('Sent: the task continues with it.').waitFor();
  expect(await first.count()).toBe(0);
  const message = [
    '2 review comments on your changes. Address each one, or say why not.',
    '1. src/greet.ts, line 1:\n> const name = "you";\nTake the name from the person.',
    '2. src/greet.ts, line 2:\n> hello(name);\nSay it louder.',
  ].join('\n\n');
  await until('the agent got it', async () => {
    const { conversation } = await home.conversation('worker');
    return conversation.some((each) => each.type === 'user_request' && each.content === message);
  });
});

it('DV3 DV4 a comment outlives its line, and a mark as viewed lasts until the file changes', async () => {
  await using world = new World();
  const { api, home } = await reviewed(world);
  await using page = await openDashboard(api);
  await openDiff(page);
  await number(page, 'line 1').click();
  await page.getByRole('textbox', { name: 'Comment on line 1' }).fill('Not a constant.');
  await page.keyboard.press('Control+Enter');
  await bar(page).getByText('1 comment not sent').waitFor();
  await page.getByRole('button', { name: 'Log out' }).click();
  // Another person at this browser sees nothing of it.
  const { api: noor } = await invite(api, 'Noor', 'operator');
  await page.goto(await loginLink(noor));
  await openDiff(page);
  expect(await bar(page).getByText('not sent').count()).toBe(0);
  await page.getByRole('button', { name: 'Log out' }).click();
  await page.goto(await loginLink(api));
  await openDiff(page);
  await bar(page).getByText('1 comment not sent').waitFor();
  const mark = page.getByRole('checkbox', { name: 'Viewed src/greet.ts' });
  await mark.check();
  await patch(page).waitFor({ state: 'detached' });
  await page.getByText('1 of 4 files viewed').waitFor();
  await page.reload();
  await page.getByText('1 of 4 files viewed').waitFor();
  expect(await mark.isChecked()).toBe(true);
  expect(await patch(page).count()).toBe(0);
  const { worktree_path } = await home.get('worker');
  writeFileSync(join(worktree_path ?? '', 'src/greet.ts'), 'const name = "Ada";\nhello(name);\n');
  await page.getByRole('button', { name: 'Refresh' }).click();
  await patch(page).waitFor();
  expect(await mark.isChecked()).toBe(false);
  await patch(page).getByText('On line 1 as it was: const name = "you";').waitFor();
  expect(await scanAccessibility(page)).toEqual([]);
  await bar(page).getByRole('button', { name: 'Discard…' }).click();
  const dialog = page.getByRole('dialog', { name: 'Discard 1 comment?' });
  await dialog.getByRole('button', { name: 'Discard' }).click();
  await bar(page).waitFor({ state: 'detached' });
});

it('DV5 DV6 the diff is shown side by side where there is room, with a list of files that leads to each', async () => {
  await using world = new World();
  const { api } = await reviewed(world);
  await using page = await openDashboard(api, { viewport: { width: 1440, height: 900 } });
  await openDiff(page);
  await page.getByRole('group', { name: 'Layout' }).getByText('Split').click();
  await page.reload();
  // The colours replace the lines.
  await patch(page).locator('.removed .keyword').waitFor();
  await patch(page).locator('.added .keyword').waitFor();
  const before = await patch(page).getByText('const name = "world";').boundingBox();
  const after = await patch(page).getByText('const name = "you";').boundingBox();
  expect(after?.y).toBe(before?.y);
  expect(after?.x).toBeGreaterThan(before?.x ?? Infinity);
  const files = page.getByRole('navigation', { name: 'Changed files' });
  expect((await files.getByRole('listitem').allInnerTexts()).map((text) => text.trim())).toEqual([
    'src/',
    'deep/inside/',
    'part.ts',
    'greet.ts',
    'notes.md',
    'stand-in-2.md',
  ]);
  await page.locator('summary', { hasText: 'part.ts' }).click();
  await patch(page, 'src/deep/inside/part.ts').waitFor({ state: 'detached' });
  await files.getByRole('button', { name: 'part.ts' }).click();
  await patch(page, 'src/deep/inside/part.ts').waitFor();
  expect(await scanAccessibility(page)).toEqual([]);
  await page.setViewportSize({ width: 390, height: 800 });
  await files.waitFor({ state: 'detached' });
  await until('one below the other', async () => {
    const upper = await patch(page).getByText('const name = "world";').boundingBox();
    const lower = await patch(page).getByText('const name = "you";').boundingBox();
    return upper !== null && lower !== null && lower.y > upper.y;
  });
  expect(await page.getByRole('group', { name: 'Layout' }).count()).toBe(0);
  expect(await scanAccessibility(page)).toEqual([]);
});

it('DV7 a viewer reads the diff and marks files, but cannot comment', async () => {
  await using world = new World();
  const { api } = await reviewed(world);
  const { api: noor } = await invite(api, 'Noor', 'viewer');
  await using page = await openDashboard(noor);
  await openDiff(page);
  await page.getByRole('checkbox', { name: 'Viewed notes.md' }).check();
  await page.getByText('1 of 4 files viewed').waitFor();
  expect(await patch(page).getByRole('button').count()).toBe(0);
});

it('DV8 DV9 DV10 code gets its colours when a diff is open, stays text, and large files stay plain', async () => {
  await using world = new World();
  const { api } = await world.start();
  const home = new TaskHome(world, api);
  const hostile = 'const a = "<img src=x onerror=alert(1)>";';
  const steps = [
    `write greet.ts ${hostile}\\n// turned \u202e round\\n`,
    `write large.ts const long = "${'x'.repeat(1_001)}";\\n`,
    'write plain.txt const a = 1;\\n',
    'commit Add code',
    'say Done.',
  ];
  await home.run('worker', steps, { test_commands: [] });
  await home.until('worker', 'COMPLETED');
  await using page = await openDashboard(api);
  const scripts: Promise<string>[] = [];
  page.on('response', (response) => {
    if (response.request().resourceType() === 'script') scripts.push(response.text());
  });
  const loaded = async (name: string) =>
    (await Promise.all(scripts)).some((text) => text.includes(name));
  await openTask(page, 'worker');
  await page.reload();
  await page.getByRole('heading', { level: 1, name: 'worker' }).waitFor();
  expect(await loaded('startParse')).toBe(false);
  await page.getByText('Diff', { exact: true }).click();
  const code = patch(page, 'greet.ts');
  await code.locator('.keyword', { hasText: 'const' }).waitFor();
  await code.locator('.string', { hasText: '<img src=x onerror=alert(1)>' }).waitFor();
  expect(await code.locator('.added .text').first().innerText()).toMatch(/^added:\s+const a = /);
  // What turns the text round is marked, and not hidden in a colour.
  await code.getByText('202e').waitFor();
  expect(await code.locator('.comment').count()).toBe(0);
  await page.getByText('Too large for syntax colours').waitFor();
  expect(await patch(page, 'large.ts').locator('.keyword').count()).toBe(0);
  expect(await patch(page, 'plain.txt').locator('.keyword').count()).toBe(0);
  expect(await loaded('startParse')).toBe(true);
  // The grammars of Rust and Python.
  expect(await loaded('MacroInvocation')).toBe(false);
  expect(await loaded('ArrayComprehensionExpression')).toBe(false);
  expect(await scanAccessibility(page)).toEqual([]);
  await page.setViewportSize({ width: 1440, height: 900 });
  await page.getByText('Split', { exact: true }).click();
  await code.locator('.half .keyword').first().waitFor();
});
