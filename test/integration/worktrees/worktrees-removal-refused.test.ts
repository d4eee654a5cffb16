/** What stops the removal of a worktree, so that nothing in it is lost, with real git. */
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { refusedWith, WorktreeStage } from '../../support/git/worktree-stage.ts';

it('WT10 a repository inside a worktree stops its removal, everything stays as it was', async () => {
  using stage = new WorktreeStage();
  const made = await stage.create('fix');
  stage.write(made.path, '.gitignore', 'ignored/\n');
  const inner = [join(made.path, 'sub/inner'), join(made.path, 'ignored/inner')];
  for (const directory of inner) {
    mkdirSync(directory, { recursive: true });
    stage.git(directory, 'init', '-q');
    stage.write(directory, 'precious.txt', 'precious\n');
    const refused = await refusedWith(stage.remove('fix'));
    expect(refused.code).toBe('worktree_holds_work');
    expect(refused.message).toContain(directory.slice(made.path.length + 1));
    expect((await stage.worktrees.inspect(made)).obstacle).toBe(refused.message);
    expect(stage.read(directory, 'precious.txt')).toBe('precious\n');
    expect(stage.git(made.path, 'status', '--porcelain', '-uno')).toBe('');
    rmSync(directory, { recursive: true });
  }
  // As a submodule that a person added.
  stage.git(
    made.path,
    '-c',
    'protocol.file.allow=always',
    'submodule',
    '-q',
    'add',
    stage.repository,
    'mod',
  );
  stage.commit(made.path, 'submodule');
  expect((await refusedWith(stage.remove('fix'))).code).toBe('worktree_holds_work');
  expect(stage.worktrees.of('fix')).toHaveLength(1);
  expect(stage.events()).toEqual(['created task/fix']);
});

it('WT10 a locked worktree stays, whether its directory exists or not', async () => {
  using stage = new WorktreeStage();
  const made = await stage.create('fix');
  stage.git(stage.repository, 'worktree', 'lock', '--reason', 'on a stick', made.path);
  const refused = await refusedWith(stage.remove('fix'));
  expect(refused.code).toBe('worktree_holds_work');
  expect(refused.message).toMatch(/is locked \(on a stick\); unlock it with “git worktree unlock/);
  rmSync(made.path, { recursive: true });
  expect((await refusedWith(stage.remove('fix'))).code).toBe('worktree_holds_work');
  expect((await refusedWith(stage.restore('fix'))).code).toBe('worktree_failed');
  stage.git(stage.repository, 'worktree', 'unlock', made.path);
  await stage.remove('fix');
  expect(stage.listed()).toEqual([]);
});

it('WT34 a file written during the removal is not deleted', async () => {
  using stage = new WorktreeStage();
  const made = await stage.create('fix');
  stage.write(made.path, 'a.txt', 'a\n');
  // A file appears after git was asked to remove and right before it checks.
  const late = join(stage.root, 'late-git');
  const real = '/usr/bin/env git';
  writeFileSync(
    late,
    `#!/bin/sh\ncase "$*" in *"worktree remove"*) echo late > ${made.path}/late.txt;; esac\nexec ${real} "$@"\n`,
    { mode: 0o755 },
  );
  stage.restart(late);
  const refused = await refusedWith(stage.remove('fix'));
  expect(refused.code).toBe('worktree_holds_work');
  expect(refused.message).toMatch(/stop what still writes there/);
  expect(stage.read(made.path, 'late.txt')).toBe('late\n');
  expect(stage.git(made.path, 'symbolic-ref', '--short', 'HEAD')).toBe('task/fix');
  stage.restart();
  await stage.remove('fix');
  expect([stage.holds('a\n'), stage.holds('late\n'), stage.listed()]).toEqual([true, true, []]);
});
