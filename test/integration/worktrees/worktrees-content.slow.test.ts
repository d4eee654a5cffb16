/** What is reported about worktrees, and what is extracted from them, with real git. */
import { existsSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { WorkDiff, WorkState } from '../../../shared/schema/tasks/project.ts';
import { MAX_DIFF_FILES, MAX_PATCH_BYTES } from '../../../server/worktrees/reading/work-diff.ts';
import { refusedWith, WorktreeStage } from '../../support/git/worktree-stage.ts';

/** The content of a worktree and of git's own files, to see whether anything changed. */
function footprint(stage: WorktreeStage, path: string): string {
  const status = stage.git(path, '--no-optional-locks', 'status', '--porcelain=v2', '--branch');
  const refs = stage.git(path, 'for-each-ref');
  return [status, refs, stage.git(path, 'ls-files', '--stage')].join('\n');
}

it('WT11 an inspection shows what is in a worktree, and its removal does what it said', async () => {
  using stage = new WorktreeStage();
  stage.write(stage.repository, '.gitignore', 'out/\n*.log\n');
  stage.commit(stage.repository, 'ignore');
  const made = await stage.create('fix');
  stage.commit(made.path, 'one');
  stage.commit(made.path, 'two');
  stage.write(made.path, 'README', 'changed\n');
  stage.write(made.path, 'a b/ü.txt', 'new\n');
  stage.write(made.path, 'out/x/1.o', '');
  stage.write(made.path, 'out/2.o', '');
  stage.write(made.path, 'x.log', '');
  const before = footprint(stage, made.path);
  const state = await stage.worktrees.inspect(made);
  expect(footprint(stage, made.path)).toBe(before);
  expect(WorkState.parse(state)).toEqual({
    path: made.path,
    repository: stage.repository,
    branch: 'task/fix',
    base: 'main',
    exists: true,
    dirty: ['README', 'a b/ü.txt'],
    dirty_count: 2,
    ignored_count: 2,
    unmerged_commits: 2,
    unpushed_commits: 2,
    obstacle: null,
    on_removal: [
      '2 changed files will be committed to task/fix.',
      `The directory ${made.path} will be removed.`,
      '2 ignored files or directories will be removed with it.',
      'The branch task/fix will be deleted; its commits will be saved under a backup ref.',
    ],
  });
  await stage.remove('fix');
  expect([stage.backups().length, stage.branches()]).toEqual([1, ['main']]);
});

it('WT11 at most a hundred names are listed, with their total', async () => {
  using stage = new WorktreeStage();
  const made = await stage.create('fix');
  for (let number = 0; number < 130; number += 1) stage.write(made.path, `n/${number}`, '');
  const { dirty, dirty_count } = await stage.worktrees.inspect(made);
  expect([dirty.length, dirty_count]).toEqual([100, 130]);
});

it('WT11 an inspection says what will happen to commits on no branch, and to a branch that stays', async () => {
  using stage = new WorktreeStage();
  stage.git(stage.repository, 'branch', 'theirs');
  const made = await stage.create('fix', { branch: 'theirs' });
  stage.git(made.path, 'switch', '-q', '--detach');
  stage.commit(made.path, 'detached');
  stage.write(made.path, 'x', '');
  const { on_removal, unmerged_commits } = await stage.worktrees.inspect(made);
  expect(unmerged_commits).toBe(1);
  expect(on_removal).toEqual([
    '1 changed file will be committed under a backup ref.',
    'Commits on no branch will be saved under a backup ref.',
    `The directory ${made.path} will be removed.`,
    'The branch theirs will be kept: it existed before the task.',
  ]);
});

it('WT11 a worktree that was removed is refused', async () => {
  using stage = new WorktreeStage();
  const made = await stage.create('fix');
  await stage.remove('fix');
  expect((await refusedWith(stage.worktrees.inspect(made))).code).toBe('no_worktree');
  expect((await refusedWith(stage.worktrees.snapshot(made))).code).toBe('no_worktree');
});

it('WT12 a diff shows committed, changed and new files, and leaves the repository as it was', async () => {
  using stage = new WorktreeStage();
  for (const name of ['gone', 'moved', 'kept']) {
    stage.write(stage.repository, name, `${name}\n`.repeat(20));
  }
  stage.commit(stage.repository, 'files');
  const made = await stage.create('fix');
  stage.git(made.path, 'mv', 'moved', 'moved to');
  stage.git(made.path, 'rm', '-q', 'gone');
  stage.commit(made.path, 'committed');
  // Later changes of the base are no change of this branch.
  stage.write(stage.repository, 'of-base', 'base\n');
  stage.commit(stage.repository, 'base goes on');
  stage.write(made.path, 'kept', 'kept\n'.repeat(21));
  stage.write(made.path, 'new', 'brand new\n');
  stage.write(made.path, 'binary', '\0\0\0');
  const before = footprint(stage, made.path);
  const objects = stage.git(stage.repository, 'count-objects', '-v');
  const diff = WorkDiff.parse(await stage.worktrees.diff(made));
  expect(footprint(stage, made.path)).toBe(before);
  expect(stage.git(stage.repository, 'count-objects', '-v')).toBe(objects);
  expect(readdirSync(stage.scratch)).toEqual([]);
  expect(diff.files).toEqual([
    { path: 'binary', status: 'added', additions: null, deletions: null, dirty: true },
    { path: 'gone', status: 'deleted', additions: 0, deletions: 20, dirty: false },
    { path: 'kept', status: 'modified', additions: 1, deletions: 0, dirty: true },
    { path: 'moved to', status: 'renamed', additions: 0, deletions: 0, dirty: false },
    { path: 'new', status: 'added', additions: 1, deletions: 0, dirty: true },
  ]);
  expect(diff.patch).toContain('+brand new');
  expect(diff.patch).not.toContain('of-base');
  expect(diff.cut).toBe(false);
});

it('WT12 a long diff is cut at whole lines, and says so', async () => {
  using stage = new WorktreeStage();
  const made = await stage.create('fix');
  for (let number = 0; number < MAX_DIFF_FILES + 20; number += 1) {
    stage.write(made.path, `n/${number}`, 'ü'.repeat(2000).concat('\n'));
  }
  const { files, patch, cut } = await stage.worktrees.diff(made);
  expect([files.length, cut, patch.endsWith('\n')]).toEqual([MAX_DIFF_FILES, true, true]);
  expect(Buffer.byteLength(patch)).toBeLessThanOrEqual(MAX_PATCH_BYTES);
  expect(Buffer.byteLength(patch)).toBeGreaterThan(MAX_PATCH_BYTES / 2);
  expect(patch).not.toContain('\uFFFD');
});

it('WT16 WT21 what opens every file of a large tree may take longer than a list', async () => {
  using stage = new WorktreeStage();
  const made = await stage.create('fix');
  stage.write(made.path, 'x', 'x\n');
  const git = join(stage.root, 'slow-git');
  const script = 'case "$*" in *--numstat*) sleep 11;; esac; exec git "$@"';
  writeFileSync(git, `#!/bin/sh\n${script}\n`, { mode: 0o755 });
  stage.restart(git);
  expect((await stage.worktrees.diff(made)).files).toHaveLength(1);
});

it('WT12 without a directory the branch is compared', async () => {
  using stage = new WorktreeStage();
  const made = await stage.create('fix');
  stage.write(made.path, 'x', 'x\n');
  stage.commit(made.path, 'x');
  rmSync(made.path, { recursive: true });
  const { files } = await stage.worktrees.diff(made);
  expect(files.map(({ path, dirty }) => [path, dirty])).toEqual([['x', false]]);
});

it('WT13 a snapshot is a commit of the exact content, and moves nothing', async () => {
  using stage = new WorktreeStage();
  stage.write(stage.repository, '.gitignore', '*.log\n');
  stage.commit(stage.repository, 'ignore');
  const made = await stage.create('fix');
  const clean = await stage.worktrees.snapshot(made);
  expect(clean).toEqual({ commit: made.baseCommit, dirty: false });
  stage.write(made.path, 'staged', 'staged\n');
  stage.git(made.path, 'add', 'staged');
  stage.write(made.path, 'staged', 'standing\n');
  stage.write(made.path, 'new', 'new\n');
  stage.write(made.path, 'x.log', 'ignored\n');
  rmSync(join(made.path, 'README'));
  const verified = 'refs/loopwatch/verified/fix';
  stage.git(made.path, 'update-ref', '-d', verified);
  const before = footprint(stage, made.path);
  const { commit, dirty } = await stage.worktrees.snapshot(made);
  expect(stage.git(made.path, 'rev-parse', verified)).toBe(commit);
  stage.git(made.path, 'update-ref', '-d', verified);
  expect(footprint(stage, made.path)).toBe(before);
  expect(dirty).toBe(true);
  const names = stage.git(made.path, 'ls-tree', '-r', '--name-only', commit);
  expect(names.split('\n')).toEqual(['.gitignore', 'new', 'staged']);
  expect(stage.git(made.path, 'show', `${commit}:staged`)).toBe('standing');
  expect(stage.git(made.path, 'rev-parse', `${commit}^`)).toBe(made.baseCommit);
  // The content has not changed, so neither has the commit.
  expect(await stage.worktrees.snapshot(made)).toEqual({ commit, dirty });
});

it('WT13 a directory that is no longer a worktree is not taken for the repository around it', async () => {
  using stage = new WorktreeStage();
  const made = await stage.create('fix');
  stage.write(made.path, 'new', 'new\n');
  rmSync(join(made.path, '.git'));
  stage.git(stage.repository, 'worktree', 'prune', '--expire', 'now');
  expect((await refusedWith(stage.worktrees.snapshot(made))).code).toBe('no_worktree');
  expect((await stage.worktrees.diff(made)).files).toEqual([]);
  expect((await stage.worktrees.inspect(made)).obstacle).toMatch(/no longer a worktree/);
  expect(stage.git(stage.repository, 'for-each-ref', 'refs/loopwatch')).toBe('');
});

it('WT13 garbage collection leaves a snapshot alone', async () => {
  using stage = new WorktreeStage();
  const made = await stage.create('fix');
  stage.write(made.path, 'new', 'new\n');
  const { commit } = await stage.worktrees.snapshot(made);
  stage.git(stage.repository, 'gc', '-q', '--prune=now');
  expect(stage.git(stage.repository, 'show', `${commit}:new`)).toBe('new');
});

it('WT14 a checkout has the exact commit, outside the repository, and leaves nothing', async () => {
  using stage = new WorktreeStage();
  const made = await stage.create('fix');
  stage.write(made.path, 'new', 'new\n');
  const { commit } = await stage.worktrees.snapshot(made);
  const checkout = await stage.worktrees.checkout(made, commit);
  expect(checkout.path.startsWith(stage.scratch)).toBe(true);
  expect(stage.git(checkout.path, 'rev-parse', 'HEAD')).toBe(commit);
  expect(stage.git(checkout.path, 'status', '--porcelain')).toBe('');
  stage.write(checkout.path, 'made by a gate/x', 'x');
  await checkout.dispose();
  expect([existsSync(checkout.path), stage.listed()]).toEqual([false, [made.path]]);
  const refused = await refusedWith(stage.worktrees.checkout(made, '0'.repeat(40)));
  expect(refused.code).toBe('git_failed');
  expect([readdirSync(join(stage.scratch, 'checkouts')), stage.listed()]).toEqual([
    [],
    [made.path],
  ]);
});

it('WT14 checkouts that a killed daemon left are removed at the next start', async () => {
  using stage = new WorktreeStage();
  const made = await stage.create('fix');
  await stage.worktrees.checkout(made, made.baseCommit);
  const { path } = await stage.worktrees.checkout(made, made.baseCommit);
  rmSync(join(path, '.git'));
  stage.restart();
  await stage.worktrees.recover();
  expect(readdirSync(join(stage.scratch, 'checkouts'))).toEqual([]);
  expect(stage.listed()).toHaveLength(2);
  await stage.worktrees.recover();
});

it('WT11 a file that disappears during an inspection is no obstacle', async () => {
  using stage = new WorktreeStage();
  const made = await stage.create('fix');
  stage.write(made.path, '.gitignore', 'out/\n');
  const busy = join(stage.root, 'busy-git');
  const text = `case "$*" in *" status "*) git "$@"; exec rm -rf ${made.path}/out;; esac`;
  writeFileSync(busy, `#!/bin/sh\n${text}\nexec git "$@"\n`, { mode: 0o755 });
  stage.restart(busy);
  stage.write(made.path, 'out/1.o', '');
  expect(await stage.worktrees.inspect(made)).toMatchObject({ ignored_count: 1, obstacle: null });
  stage.write(made.path, 'out/1.o', '');
  expect((await stage.worktrees.diff(made)).files).toHaveLength(1);
});
