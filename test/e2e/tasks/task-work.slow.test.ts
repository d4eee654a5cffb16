/** The work of a task on its page: its diff, its proof, and each step that touches it. */
import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { openDashboard, useBrowser } from '../../support/browser/browser.ts';
import { scanAccessibility } from '../../support/browser/scan-accessibility.ts';
import { TaskHome } from '../../support/tasks/task-home.ts';
import { openTask, takeFromMenu } from '../../support/tasks/task-pages.ts';
import { World } from '../../support/daemon/world.ts';

useBrowser();

it('TA8, TA9, TA10, TA20, TA32 the work is shown before it is removed: diff, tests, and what a removal does', async () => {
  await using world = new World();
  const { api } = await world.start();
  const home = new TaskHome(world, api);
  const steps = [
    'write greet.txt hello\\nyou',
    'commit Add a greeting',
    'write draft.txt soon',
    'say Done.',
  ];
  await home.run('worker', steps, {
    gates: [{ name: 'greets', command: 'test -f greet.txt && echo well' }],
    test_commands: [],
  });
  await home.until('worker', 'COMPLETED');
  await using page = await openDashboard(api);
  await openTask(page, 'worker');
  // What it claimed is not explained where the checks of the host say more.
  await page.getByText('All host checks passed.').waitFor();
  expect(await page.getByRole('link', { name: /^What does/ }).count()).toBe(0);
  const { worktree_path: worktree } = await home.get('worker');
  expect(await page.getByRole('link', { name: 'VS Code' }).getAttribute('href')).toBe(
    `vscode://file${worktree}`,
  );
  await page.getByText(`cd '${worktree}' && git push -u origin 'task/worker'`).waitFor();
  await page.getByText('Diff', { exact: true }).click();
  const patch = page.getByRole('region', { name: 'Changes of greet.txt' });
  await patch.getByText('hello', { exact: true }).waitFor();
  expect(await patch.innerText()).toMatch(/added:\s+hello/);
  expect(await scanAccessibility(page)).toEqual([]);
  await page.getByText(/^Checks\s*\d+$/).click();
  await page
    .getByRole('region', { name: 'Host check' })
    .getByText(/^Verified/)
    .waitFor();
  await page.getByText('exit code 0').waitFor();
  await page.getByText('Output', { exact: true }).click();
  await page.getByText('well', { exact: true }).waitFor();
  expect(await scanAccessibility(page)).toEqual([]);
  // A reload shows the same part.
  await page.reload();
  await page.getByRole('region', { name: 'Host check' }).waitFor();
  await takeFromMenu(page, 'Delete…');
  const dialog = page.getByRole('dialog');
  await dialog.getByText(/commits? missing from main/).waitFor();
  expect(await scanAccessibility(page)).toEqual([]);
  await dialog.getByRole('button', { name: 'Delete', exact: true }).click();
  await page.getByRole('heading', { name: 'This task was deleted' }).waitFor();
  expect((await api.get('/api/v1/tasks')).body).toEqual([]);
});

it('TA8 a task at its limit continues with more, and is stopped with everything kept', async () => {
  await using world = new World();
  const { api } = await world.start();
  const home = new TaskHome(world, api);
  const steps = ['write a.txt one', 'turn 2 write b.txt two', 'turn 2 wait 60000'];
  await home.run('limited', steps, { max_iterations: 1, test_commands: [] });
  await home.until('limited', 'EXHAUSTED');
  await using page = await openDashboard(api);
  await openTask(page, 'limited');
  await page.getByText('Raise the iteration limit and retry the task.').waitFor();
  await page.getByRole('button', { name: 'Retry…' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('More iterations').fill('3');
  expect(await scanAccessibility(page)).toEqual([]);
  await dialog.getByRole('button', { name: 'Retry', exact: true }).click();
  await page.getByText('Running', { exact: true }).waitFor();
  await page.getByText('1 / 4', { exact: true }).waitFor();
  await page.getByRole('button', { name: 'Stop…' }).click();
  await dialog.getByText('Branch, worktree, files and conversation are kept').waitFor();
  await dialog.getByText(/uncommitted file/).waitFor();
  await dialog.getByRole('button', { name: 'Stop', exact: true }).click();
  await page.getByText('Stopped', { exact: true }).waitFor();
  await page.getByRole('button', { name: 'Resume' }).waitFor();
  expect((await home.get('limited')).worktree_path).not.toBeNull();
});

it('TA19 a task is merged: what it brings, a check that refuses the result, then the merge', async () => {
  await using world = new World();
  const { api } = await world.start();
  const home = new TaskHome(world, api);
  await home.run('worker', ['write greet.txt hello', 'commit Add a greeting', 'say Done.'], {
    gates: [{ name: 'greets', command: 'cat greet.txt && test ! -f veto.txt' }],
    test_commands: [],
  });
  await home.until('worker', 'COMPLETED');
  const { body } = await api.get('/api/v1/tasks/by-name/worker');
  const repository = String(body['root_folder']);
  const git = (...words: string[]) =>
    execFileSync('git', ['-C', repository, ...words], { encoding: 'utf8' }).trim();
  git('switch', '-q', '-c', 'vetoed');
  writeFileSync(join(repository, 'veto.txt'), '');
  git('add', '-A');
  git('commit', '-q', '-m', 'Veto');
  git('switch', '-q', '-');
  await using page = await openDashboard(api);
  await openTask(page, 'worker');
  await page.locator('button.primary', { hasText: 'Merge…' }).click();
  const dialog = page.getByRole('dialog');
  const into = dialog.getByLabel('Into branch');
  await dialog.getByText(/^1 commit, 1 file, .* Checks: greets\.$/).waitFor();
  expect(await scanAccessibility(page)).toEqual([]);
  const from = await into.inputValue();
  await into.fill('vetoed');
  await dialog.getByText(/^1 commit, 1 file/).waitFor();
  await dialog.getByRole('button', { name: 'Merge', exact: true }).click();
  await dialog.getByText('hello', { exact: true }).waitFor();
  expect(git('rev-list', '--count', 'vetoed..task/worker')).not.toBe('0');
  await into.fill(from);
  // What was left in the worktree was committed before the refused merge.
  await dialog.getByText(/^2 commits, /).waitFor();
  await dialog.getByRole('button', { name: 'Merge', exact: true }).click();
  await page
    .getByText(new RegExp(`^Merged into ${from} as`))
    .first()
    .waitFor();
  expect(git('show', `${from}:greet.txt`)).toBe('hello');
});
