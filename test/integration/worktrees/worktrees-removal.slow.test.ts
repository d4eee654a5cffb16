/** What happens to work when its worktree is removed, with real git. */
import { existsSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { WorktreeStage } from '../../support/git/worktree-stage.ts';

it('WT8 unfinished work is committed to its branch, which can be continued', async () => {
  using stage = new WorktreeStage();
  const made = await stage.create('fix');
  const before = stage.commit(made.path, 'finished');
  stage.write(made.path, 'README', 'changed\n');
  stage.write(made.path, 'sub/new.txt', 'new\n');
  const [committed, removed, branch] = await stage.remove('fix', 'keep');
  expect(committed).toMatch(/^Committed 2 changed files to task\/fix \([0-9a-f]{10}\)\.$/);
  expect(removed).toBe(`Removed the worktree ${made.path}.`);
  expect(branch).toBe('Kept the branch task/fix.');
  expect([existsSync(made.path), stage.listed()]).toEqual([false, []]);
  const format = ['log', '-1', '--format=%an %cn %p %s', '--abbrev=40', 'task/fix'];
  expect(stage.git(stage.repository, ...format)).toBe(
    `Loopwatch Loopwatch ${before} Unfinished work of fix`,
  );
  await stage.restore('fix');
  expect(stage.read(made.path, 'sub/new.txt')).toBe('new\n');
  expect(stage.git(made.path, 'status', '--porcelain')).toBe('');
  expect(stage.events()).toEqual(['created task/fix', 'removed task/fix', 'created task/fix']);
});

it('WT8 the time of a commit is the daemon’s, and a hook that fails does not stop it', async () => {
  using stage = new WorktreeStage();
  const hook = join(stage.repository, '.git/hooks/pre-commit');
  writeFileSync(hook, '#!/bin/sh\nexit 1\n', { mode: 0o755 });
  const made = await stage.create('fix');
  stage.write(made.path, 'work.txt', 'work\n');
  await stage.remove('fix', 'keep');
  const when = stage.git(stage.repository, 'log', '-1', '--format=%aI %cI', 'task/fix');
  expect(when).toBe('2026-01-01T00:00:00+00:00 2026-01-01T00:00:00+00:00');
});

it('WT8 commits on no branch, and unfinished work on them, are kept', async () => {
  using stage = new WorktreeStage();
  const made = await stage.create('fix');
  stage.git(made.path, 'switch', '-q', '--detach');
  stage.write(made.path, 'a.txt', 'on no branch\n');
  stage.commit(made.path, 'detached');
  stage.write(made.path, 'b.txt', 'unfinished\n');
  const sentences = await stage.remove('fix', 'keep');
  const [backup = ''] = stage.backups();
  expect(backup).toBe('refs/loopwatch/backup/fix/20260101T000000Z');
  expect(sentences[0]).toBe(`Unfinished work, 1 changed file, is kept as ${backup}.`);
  expect([stage.holds('on no branch\n'), stage.holds('unfinished\n')]).toEqual([true, true]);
  expect(stage.git(stage.repository, 'rev-parse', 'task/fix')).toBe(made.baseCommit);
  expect(stage.backups()).toHaveLength(1);
});

it('WT32 commits that a reset dropped are kept too', async () => {
  using stage = new WorktreeStage();
  const made = await stage.create('fix');
  stage.write(made.path, 'a.txt', 'first try\n');
  stage.commit(made.path, 'a');
  stage.git(made.path, 'reset', '-q', '--hard', 'HEAD~1');
  stage.git(made.path, 'switch', '-q', '--detach');
  stage.write(made.path, 'b.txt', 'second try\n');
  stage.commit(made.path, 'b');
  stage.git(made.path, 'switch', '-q', 'task/fix');
  const sentences = await stage.remove('fix');
  expect(sentences[0]).toMatch(
    /^Commits that are on no branch are kept as refs\/loopwatch\/backup/,
  );
  expect([stage.holds('first try\n'), stage.holds('second try\n')]).toEqual([true, true]);
});

it('WT32 a file that was staged and changed again is kept in both versions', async () => {
  using stage = new WorktreeStage();
  const made = await stage.create('fix');
  stage.write(made.path, 'a.txt', 'staged\n');
  stage.git(made.path, 'add', 'a.txt');
  stage.write(made.path, 'a.txt', 'standing\n');
  await stage.remove('fix');
  expect([stage.holds('staged\n'), stage.holds('standing\n')]).toEqual([true, true]);
});

it('WT33 a change that git was instructed not to check is seen', async () => {
  using stage = new WorktreeStage();
  const made = await stage.create('fix');
  stage.git(made.path, 'update-index', '--assume-unchanged', 'README');
  stage.write(made.path, 'README', 'hidden change\n');
  await stage.remove('fix');
  expect(stage.holds('hidden change\n')).toBe(true);
});

it('WT33 a change in the second in which git last checked, of the same length, is seen', async () => {
  using stage = new WorktreeStage();
  const made = await stage.create('fix');
  const file = join(made.path, 'same.txt');
  const then = new Date('2025-01-01T00:00:00Z');
  stage.git(made.path, 'config', 'core.trustctime', 'false');
  stage.write(made.path, 'same.txt', 'aaaa');
  utimesSync(file, then, then);
  stage.commit(made.path, 'same');
  stage.write(made.path, 'same.txt', 'bbbb');
  utimesSync(file, then, then);
  utimesSync(join(stage.repository, '.git/worktrees/fix/index'), then, then);
  await stage.remove('fix');
  expect(stage.holds('bbbb')).toBe(true);
});

it('WT8 unfinished work on another branch leaves that branch as it is', async () => {
  using stage = new WorktreeStage();
  const made = await stage.create('fix');
  stage.git(made.path, 'switch', '-qc', 'better');
  const better = stage.commit(made.path, 'better');
  stage.write(made.path, 'work.txt', 'work\n');
  const sentences = await stage.remove('fix');
  expect(sentences[0]).toMatch(/^Unfinished work, 1 changed file, is kept as refs/);
  expect(stage.git(stage.repository, 'rev-parse', 'better')).toBe(better);
  expect(stage.branches()).toEqual(['better', 'main']);
  expect(stage.holds('work\n')).toBe(true);
});

it('WT8 a branch without a commit, a merge in conflict and a removed file are no obstacle', async () => {
  using stage = new WorktreeStage();
  const orphan = await stage.create('orphan');
  stage.git(orphan.path, 'switch', '-q', '--orphan', 'nothing');
  stage.write(orphan.path, 'o.txt', 'orphan\n');
  await stage.remove('orphan');
  const conflict = await stage.create('conflict');
  stage.write(conflict.path, 'README', 'ours\n');
  stage.commit(conflict.path, 'ours');
  stage.git(conflict.path, 'switch', '-qc', 'other', 'main');
  stage.write(conflict.path, 'README', 'theirs\n');
  stage.commit(conflict.path, 'theirs');
  stage.git(conflict.path, 'switch', '-q', 'task/conflict');
  expect(() => stage.git(conflict.path, 'merge', 'other')).toThrow();
  stage.write(conflict.path, 'README', 'half resolved\n');
  await stage.remove('conflict');
  const deleted = await stage.create('deleted');
  rmSync(join(deleted.path, 'README'));
  await stage.remove('deleted', 'keep');
  const left = stage.git(stage.repository, 'ls-tree', '--name-only', 'task/deleted');
  expect([stage.holds('orphan\n'), stage.holds('half resolved\n'), left]).toEqual([true, true, '']);
  expect(stage.listed()).toEqual([]);
});

it('WT31 the lock of a killed git stops neither a removal nor the next run', async () => {
  using stage = new WorktreeStage();
  const made = await stage.create('fix');
  const lock = join(stage.repository, '.git/worktrees/fix/index.lock');
  stage.write(made.path, 'work.txt', 'work\n');
  writeFileSync(lock, '');
  await stage.restore('fix');
  expect(existsSync(lock)).toBe(true);
  const old = new Date(stage.home.clock.now() - 61_000);
  utimesSync(lock, old, old);
  await stage.restore('fix');
  expect(existsSync(lock)).toBe(false);
  writeFileSync(lock, '');
  await stage.remove('fix');
  expect([stage.holds('work\n'), stage.listed()]).toEqual([true, []]);
});

it('WT32 a directory removed by hand leaves nothing behind, and its commits stay', async () => {
  using stage = new WorktreeStage();
  const made = await stage.create('fix');
  stage.git(made.path, 'switch', '-q', '--detach');
  stage.write(made.path, 'a.txt', 'detached\n');
  stage.commit(made.path, 'a');
  rmSync(made.path, { recursive: true });
  expect(await stage.worktrees.inspect(made)).toMatchObject({ exists: false, obstacle: null });
  const sentences = await stage.remove('fix');
  expect(sentences[0]).toMatch(/^A commit that is on no branch is kept as refs/);
  expect(sentences[1]).toBe(`The worktree ${made.path} no longer existed.`);
  expect([stage.holds('detached\n'), stage.listed()]).toEqual([true, []]);
});

it('WT28 entries of other worktrees are left alone', async () => {
  using stage = new WorktreeStage();
  const theirs = join(stage.root, 'theirs');
  stage.git(stage.repository, 'worktree', 'add', '-q', '--detach', theirs);
  rmSync(theirs, { recursive: true });
  const made = await stage.create('fix');
  rmSync(made.path, { recursive: true });
  await stage.restore('fix');
  await stage.remove('fix');
  stage.restart();
  await stage.worktrees.recover();
  expect(stage.listed()).toEqual([theirs]);
});

it('WT9 a branch is deleted only when the daemon created it, and other branches or a backup have all its commits', async () => {
  using stage = new WorktreeStage();
  await stage.create('empty');
  expect(await stage.remove('empty')).toContain(
    'Deleted the branch task/empty: other branches have all its commits.',
  );
  const merged = await stage.create('merged');
  stage.write(merged.path, 'm.txt', 'merged\n');
  stage.commit(merged.path, 'm');
  stage.git(stage.repository, 'merge', '-q', '--ff-only', 'task/merged');
  await stage.remove('merged');
  expect(stage.backups()).toEqual([]);
  const own = await stage.create('own');
  const tip = stage.commit(own.path, 'own');
  const sentences = await stage.remove('own');
  const [backup = ''] = stage.backups();
  expect(sentences).toContain(`Deleted the branch task/own; its commits were saved as ${backup}.`);
  expect(stage.git(stage.repository, 'rev-parse', backup)).toBe(tip);
  stage.git(stage.repository, 'branch', 'theirs');
  const theirs = await stage.create('theirs', { branch: 'theirs' });
  stage.write(theirs.path, 't.txt', 't\n');
  expect(await stage.remove('theirs')).toContain(
    'Kept the branch theirs: it existed before the task.',
  );
  expect(stage.branches()).toEqual(['main', 'theirs']);
});

it('WT35 a commit that only a remote has is kept here', async () => {
  using stage = new WorktreeStage();
  stage.git(stage.root, 'init', '-q', '--bare', 'origin.git');
  stage.git(stage.repository, 'remote', 'add', 'origin', join(stage.root, 'origin.git'));
  const made = await stage.create('fix');
  const tip = stage.commit(made.path, 'pushed');
  stage.git(made.path, 'push', '-q', 'origin', 'task/fix');
  expect(await stage.worktrees.inspect(made)).toMatchObject({
    unmerged_commits: 1,
    unpushed_commits: 0,
  });
  await stage.remove('fix');
  // The remote may delete it at any time.
  stage.git(stage.repository, 'remote', 'remove', 'origin');
  expect(stage.held().has(tip)).toBe(true);
});

it('WT8 two backups within one second have different names', async () => {
  using stage = new WorktreeStage();
  const tips: string[] = [];
  for (const words of ['one', 'two', 'three']) {
    const made = await stage.create('fix');
    tips.push(stage.commit(made.path, words));
    await stage.remove('fix');
  }
  const first = 'refs/loopwatch/backup/fix/20260101T000000Z';
  expect(stage.backups()).toEqual([first, `${first}-2`, `${first}-3`]);
  expect(tips.every((tip) => stage.held().has(tip))).toBe(true);
});
