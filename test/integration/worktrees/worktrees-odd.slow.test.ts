/** Odd repositories, in which work is easily overlooked, with real git. */
import {
  existsSync,
  mkdirSync,
  renameSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { refusedWith, WorktreeStage } from '../../support/git/worktree-stage.ts';

it('WT32 a dropped commit is kept when the directory was deleted before its worktree is removed', async () => {
  using stage = new WorktreeStage();
  const made = await stage.create('fix');
  stage.write(made.path, 'a.txt', 'let go\n');
  stage.commit(made.path, 'a');
  stage.git(made.path, 'reset', '-q', '--hard', 'HEAD~1');
  rmSync(made.path, { recursive: true });
  // Until then git's own log holds it, also when git cleans up.
  stage.git(stage.repository, 'gc', '-q', '--prune=now');
  await stage.remove('fix');
  stage.git(stage.repository, 'gc', '-q', '--prune=now');
  expect(stage.holds('let go\n')).toBe(true);
});

it('WT32 staged files are kept when someone removed the directory', async () => {
  for (const act of ['remove', 'restore'] as const) {
    using stage = new WorktreeStage();
    const made = await stage.create('fix');
    stage.write(made.path, 'a.txt', 'staged\n');
    stage.git(made.path, 'add', '-A');
    rmSync(made.path, { recursive: true });
    await stage[act]('fix');
    expect([act, stage.holds('staged\n'), stage.backups().length]).toEqual([act, true, 1]);
  }
});

it('WT32 a dropped commit is kept on a branch without a commit too', async () => {
  using stage = new WorktreeStage();
  const made = await stage.create('fix');
  stage.git(made.path, 'switch', '-q', '--detach');
  stage.write(made.path, 'a.txt', 'let go\n');
  stage.commit(made.path, 'a');
  stage.git(made.path, 'switch', '-q', '--orphan', 'nothing');
  await stage.remove('fix');
  expect(stage.holds('let go\n')).toBe(true);
});

it('WT32 a log with missing commits keeps the others', async () => {
  using stage = new WorktreeStage();
  const made = await stage.create('fix');
  const commits = ['first', 'second'].map((words) => {
    stage.write(made.path, 'a.txt', `${words}\n`);
    const commit = stage.commit(made.path, words);
    stage.git(made.path, 'reset', '-q', '--hard', 'HEAD~1');
    return commit;
  });
  const gone = commits[0] ?? '';
  rmSync(join(stage.repository, '.git/objects', gone.slice(0, 2), gone.slice(2)));
  await stage.remove('fix');
  expect(stage.holds('second\n')).toBe(true);
});

it('WT33 a file that git was instructed to skip, or outside a sparse checkout, is kept', async () => {
  using stage = new WorktreeStage();
  stage.write(stage.repository, 'in/1', 'in\n');
  stage.write(stage.repository, 'out/1', 'out\n');
  stage.commit(stage.repository, 'directories');
  const skipped = await stage.create('skipped');
  stage.git(skipped.path, 'update-index', '--skip-worktree', 'README');
  stage.write(skipped.path, 'README', 'skipped\n');
  stage.write(skipped.path, 'other', 'other\n');
  await stage.remove('skipped');
  const sparse = await stage.create('sparse');
  stage.git(sparse.path, 'sparse-checkout', 'set', 'in');
  stage.write(sparse.path, 'out/new', 'outside\n');
  await stage.remove('sparse', 'keep');
  expect([stage.holds('skipped\n'), stage.holds('outside\n')]).toEqual([true, true]);
  // What was never checked out was not deleted.
  const files = stage.git(stage.repository, 'ls-tree', '-r', '--name-only', 'task/sparse');
  expect(files.split('\n')).toEqual(['README', 'in/1', 'out/1', 'out/new']);
});

it('WT33 two files that differ only in case are both kept', async () => {
  using stage = new WorktreeStage();
  stage.git(stage.repository, 'config', 'core.ignoreCase', 'true');
  const made = await stage.create('fix');
  stage.write(made.path, 'README', 'capital\n');
  stage.write(made.path, 'readme', 'small\n');
  await stage.remove('fix');
  expect([stage.holds('capital\n'), stage.holds('small\n')]).toEqual([true, true]);
});

it('WT34, WT36 a file created during the removal is seen, also where the repository hides new files', async () => {
  using stage = new WorktreeStage();
  stage.git(stage.repository, 'config', 'status.showUntrackedFiles', 'no');
  const made = await stage.create('fix');
  const late = join(stage.root, 'late-git');
  const text = `case "$*" in *"worktree remove"*) echo late > ${made.path}/late.txt;; esac`;
  writeFileSync(late, `#!/bin/sh\n${text}\nexec git "$@"\n`, { mode: 0o755 });
  stage.restart(late);
  expect((await refusedWith(stage.remove('fix'))).code).toBe('worktree_holds_work');
  expect(stage.read(made.path, 'late.txt')).toBe('late\n');
});

it('WT33 links are kept as links, and their targets are left alone', async () => {
  using stage = new WorktreeStage();
  const made = await stage.create('fix');
  const outside = join(stage.root, 'outside');
  stage.write(outside, 'file', 'outside\n');
  symlinkSync(outside, join(made.path, 'link'));
  symlinkSync('/nonexistent', join(made.path, 'dangling'));
  symlinkSync('.', join(made.path, 'self'));
  const { commit } = await stage.worktrees.snapshot(made);
  const entry = stage.git(stage.repository, 'ls-tree', commit, 'link');
  await stage.remove('fix');
  expect(entry).toMatch(/^120000 blob /);
  expect([existsSync(join(outside, 'file')), stage.holds('outside\n')]).toEqual([true, false]);
});

it('WT35 deleting a branch that is an alias, or has one, loses no commit', async () => {
  using stage = new WorktreeStage();
  const made = await stage.create('fix');
  stage.write(made.path, 'a.txt', 'work\n');
  stage.commit(made.path, 'work');
  stage.git(made.path, 'symbolic-ref', 'refs/heads/alias', 'refs/heads/task/fix');
  await stage.remove('fix');
  expect([stage.holds('work\n'), stage.backups().length]).toEqual([true, 1]);
  const other = await stage.create('other');
  stage.git(other.path, 'symbolic-ref', 'refs/heads/task/other', 'refs/heads/theirs');
  stage.commit(other.path, 'theirs');
  await stage.remove('other');
  expect(stage.branches()).toContain('theirs');
});

it('WT35 a commit that another branch only appears to contain is kept', async () => {
  using stage = new WorktreeStage();
  const made = await stage.create('fix');
  stage.write(made.path, 'a.txt', 'work\n');
  const tip = stage.commit(made.path, 'work');
  stage.git(made.path, 'replace', '--graft', 'main', tip);
  await stage.remove('fix');
  stage.git(stage.repository, 'replace', '-d', made.baseCommit);
  expect(stage.held().has(tip)).toBe(true);
});

it('WT10 a link in the place of a worktree is not followed', async () => {
  for (const place of ['.claude_worktrees/fix', '.claude_worktrees']) {
    using stage = new WorktreeStage();
    const made = await stage.create('fix');
    stage.write(made.path, '.gitignore', 'ignored\n');
    stage.write(made.path, 'ignored', 'precious\n');
    const elsewhere = join(stage.root, 'elsewhere');
    renameSync(join(stage.repository, place), elsewhere);
    symlinkSync(elsewhere, join(stage.repository, place));
    const refused = await refusedWith(stage.remove('fix'));
    expect([place, refused.code]).toEqual([place, 'worktree_holds_work']);
    expect((await stage.worktrees.inspect(made)).obstacle).toBe(refused.message);
    expect(stage.read(made.path, 'ignored')).toBe('precious\n');
    rmSync(join(elsewhere, place === '.claude_worktrees' ? 'fix' : ''), { recursive: true });
    if (place === '.claude_worktrees') mkdirSync(elsewhere, { recursive: true });
    expect((await refusedWith(stage.restore('fix'))).code).toBe('worktree_failed');
  }
});

it('WT31 locks that a killed git left on the worktree, its branch and its snapshots are removed after a minute', async () => {
  using stage = new WorktreeStage();
  const locks = ['worktrees/fix/HEAD', 'refs/heads/task/fix', 'refs/loopwatch/verified/fix'];
  const now = stage.home.clock.now();
  const lockAll = (age: number) => {
    for (const lock of locks) {
      const file = join('.git', `${lock}.lock`);
      stage.write(stage.repository, file, '');
      utimesSync(join(stage.repository, file), new Date(now - age), new Date(now - age));
    }
  };
  const made = await stage.create('fix');
  stage.write(made.path, 'a.txt', 'work\n');
  lockAll(59_000);
  expect((await refusedWith(stage.worktrees.snapshot(made))).code).toBe('git_failed');
  expect((await refusedWith(stage.remove('fix'))).code).toBe('git_failed');
  lockAll(61_000);
  await stage.worktrees.snapshot(made);
  lockAll(61_000);
  await stage.remove('fix');
  locks.splice(0, 1);
  lockAll(61_000);
  await stage.create('fix');
  expect([stage.holds('work\n'), stage.listed()]).toEqual([true, [made.path]]);
});

it('WT8 a worktree that someone moved elsewhere is left alone, with its branch', async () => {
  using stage = new WorktreeStage();
  const made = await stage.create('fix');
  stage.write(made.path, 'a.txt', 'work\n');
  const elsewhere = join(stage.root, 'elsewhere');
  stage.git(stage.repository, 'worktree', 'move', made.path, elsewhere);
  expect((await refusedWith(stage.restore('fix'))).code).toBe('branch_in_use');
  await stage.remove('fix');
  expect(stage.git(elsewhere, 'status', '--porcelain', '--branch')).toBe('## task/fix\n?? a.txt');
});
