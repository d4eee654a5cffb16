/** A daemon or its git that ended halfway, with real git. */
import { existsSync, mkdirSync, readdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { refusedWith, WorktreeStage } from '../../support/git/worktree-stage.ts';

/** A complete worktree, with its row in some state, and where git keeps its own data about it. */
async function half(stage: WorktreeStage, state: 'creating' | 'removing', files = 0) {
  for (let number = 0; number < files; number += 1) {
    stage.write(stage.repository, `files/${number}.txt`, `${number}\n`);
  }
  if (files > 0) stage.commit(stage.repository, 'files');
  const made = await stage.create('fix');
  stage.store.setState(made.id, state);
  return { ...made, entry: join(stage.repository, '.git/worktrees/fix') };
}

async function start(stage: WorktreeStage): Promise<void> {
  stage.restart();
  await stage.worktrees.recover();
}

/** Nothing of the worktree is left, and everything else is as it was. */
function expectNothingLeft(stage: WorktreeStage): void {
  expect([stage.listed(), stage.branches()]).toEqual([[], ['main']]);
  expect(readdirSync(join(stage.repository, '.claude_worktrees'))).toEqual([]);
  expect(stage.git(stage.repository, 'status', '--porcelain')).toBe('');
  expect(stage.store.all()).toEqual([]);
}

it('WT6 killed before git began: the row is removed', async () => {
  using stage = new WorktreeStage();
  const { path, entry, branch } = await half(stage, 'creating');
  stage.git(stage.repository, 'worktree', 'remove', path);
  stage.git(stage.repository, 'branch', '-D', branch);
  expect(existsSync(entry)).toBe(false);
  await start(stage);
  expectNothingLeft(stage);
});

it('WT6 killed when only the branch was created: the branch is removed', async () => {
  using stage = new WorktreeStage();
  const { path } = await half(stage, 'creating');
  stage.git(stage.repository, 'worktree', 'remove', path);
  await start(stage);
  expectNothingLeft(stage);
});

it('WT6 killed while the branch was created: a fresh lock keeps branch and row for the next start', async () => {
  using stage = new WorktreeStage();
  const { path } = await half(stage, 'creating');
  stage.git(stage.repository, 'worktree', 'remove', path);
  const lock = join(stage.repository, '.git/refs/heads/task/fix.lock');
  writeFileSync(lock, '');
  await start(stage);
  expect([stage.branches(), stage.store.all().length]).toEqual([['main', 'task/fix'], 1]);
  const old = new Date(stage.home.clock.now() - 61_000);
  utimesSync(lock, old, old);
  await start(stage);
  expectNothingLeft(stage);
  expect(stage.store.all()).toEqual([]);
});

it('WT6 killed right before it was ready: all of it is removed', async () => {
  using stage = new WorktreeStage();
  await half(stage, 'creating');
  await start(stage);
  expectNothingLeft(stage);
  expect(stage.backups()).toEqual([]);
  expect(stage.events()).toEqual(['created task/fix', 'rolled_back task/fix']);
});

it('WT6 killed in the middle of the files: half a worktree is removed, and is not taken for work', async () => {
  using stage = new WorktreeStage();
  const { path, entry } = await half(stage, 'creating', 5);
  rmSync(join(entry, 'index'));
  writeFileSync(join(entry, 'index.lock'), 'half');
  writeFileSync(join(entry, 'locked'), 'initializing');
  rmSync(join(path, 'files/3.txt'));
  await start(stage);
  expectNothingLeft(stage);
  expect(stage.backups()).toEqual([]);
});

it('WT28 a file of unknown origin is kept under a backup ref', async () => {
  using stage = new WorktreeStage();
  const { path } = await half(stage, 'creating', 2);
  stage.write(path, 'files/1.txt', 'cut');
  await start(stage);
  expectNothingLeft(stage);
  expect(stage.holds('cut')).toBe(true);
});

it('WT6 killed before git wrote a file: an empty directory and its entry are removed', async () => {
  using stage = new WorktreeStage();
  const { path, entry } = await half(stage, 'creating');
  for (const name of ['index', 'HEAD', 'commondir']) rmSync(join(entry, name));
  rmSync(join(path, 'README'));
  writeFileSync(join(entry, 'locked'), 'initializing');
  await start(stage);
  expectNothingLeft(stage);
});

it('WT28 a foreign directory stays where half of a worktree should be', async () => {
  using stage = new WorktreeStage();
  const { path } = await half(stage, 'creating');
  stage.git(stage.repository, 'worktree', 'remove', path);
  stage.write(path, 'mine.txt', 'mine\n');
  await start(stage);
  expect(stage.read(path, 'mine.txt')).toBe('mine\n');
  expect(stage.warnings).toHaveLength(1);
  expect(stage.store.all()).toEqual([]);
});

it('WT6, WT28 a branch that has moved is not removed', async () => {
  using stage = new WorktreeStage();
  const { path } = await half(stage, 'creating');
  const commit = stage.commit(path, 'somebody was faster');
  await start(stage);
  expect(stage.git(stage.repository, 'rev-parse', 'task/fix')).toBe(commit);
  expect(stage.listed()).toEqual([]);
});

it('WT6 an interrupted removal is finished, and missing files are not taken for work', async () => {
  for (const gone of [[], ['files/1.txt'], ['files', '.git', 'README'], ['.']]) {
    using stage = new WorktreeStage();
    const { path } = await half(stage, 'removing', 3);
    for (const name of gone) rmSync(join(path, name), { recursive: true });
    await start(stage);
    expect([stage.listed(), existsSync(path), stage.backups()]).toEqual([[], false, []]);
    expect(stage.branches()).toEqual(['main', 'task/fix']);
    const left = stage.git(stage.repository, 'ls-tree', '-r', '--name-only', 'task/fix');
    expect(left.split('\n')).toHaveLength(4);
    expect(stage.events()).toEqual(['created task/fix', 'removed task/fix']);
    expect(stage.store.all()).toEqual([]);
  }
});

it('WT7 a task that is run again after such a removal has all its files', async () => {
  using stage = new WorktreeStage();
  const { path } = await half(stage, 'removing', 3);
  rmSync(join(path, 'files'), { recursive: true });
  await stage.restore('fix');
  expect(readdirSync(join(path, 'files'))).toHaveLength(3);
  expect(stage.git(path, 'status', '--porcelain')).toBe('');
});

it('WT28 cleanup that cannot be finished stays for the next start', async () => {
  using stage = new WorktreeStage();
  const { path } = await half(stage, 'removing');
  mkdirSync(join(path, 'inner'));
  stage.git(join(path, 'inner'), 'init', '-q');
  await start(stage);
  expect([existsSync(path), stage.store.all().length, stage.warnings.length]).toEqual([true, 1, 1]);
  rmSync(join(path, 'inner'), { recursive: true });
  await start(stage);
  expect([existsSync(path), stage.store.all().length]).toEqual([false, 0]);
});

it('WT6, WT31 git killed at any moment while it creates or removes leaves nothing behind and loses nothing', async () => {
  using stage = new WorktreeStage();
  for (let number = 0; number < 300; number += 1) {
    stage.write(stage.repository, `files/${number}.txt`, `${number}\n`);
  }
  stage.commit(stage.repository, 'files');
  const mortal = join(stage.root, 'mortal-git');
  const killAfter = (seconds: number) =>
    writeFileSync(
      mortal,
      `#!/bin/sh\ncase "$*" in *"worktree add"*|*"worktree remove"*) exec timeout -s KILL ${seconds} git "$@";; esac\nexec git "$@"\n`,
      { mode: 0o755 },
    );
  for (const milliseconds of [2, 4, 6, 9, 12, 16, 20, 30]) {
    killAfter(milliseconds / 1000);
    stage.restart(mortal);
    await refusedWith(stage.create('fix'));
    await start(stage);
    if (stage.store.all().length === 0) expectNothingLeft(stage);
    // A lock that git left is removed when it is a minute old.
    const lock = join(stage.repository, '.git/refs/heads/task/fix.lock');
    const old = new Date(stage.home.clock.now() - 61_000);
    if (existsSync(lock)) utimesSync(lock, old, old);
    const made = await stage.restore('fix');
    const text = `work of ${milliseconds}\n`;
    stage.write(made.path, 'files/0.txt', text);
    stage.restart(mortal);
    await refusedWith(stage.remove('fix'));
    await start(stage);
    await stage.remove('fix');
    expect([milliseconds, stage.holds(text), stage.listed()]).toEqual([milliseconds, true, []]);
    if (stage.branches().length > 1) stage.git(stage.repository, 'branch', '-D', 'task/fix');
  }
});
