/** Worktrees as they are made and found again, with real git. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { WorktreeStage } from '../support/worktree-stage.ts';

it('WT1 a worktree is a directory in its repository, on a new branch', async () => {
  using stage = new WorktreeStage();
  const made = await stage.create('fix');
  expect(made.path).toBe(join(stage.repository, '.claude_worktrees/fix'));
  expect(stage.git(made.path, 'symbolic-ref', '--short', 'HEAD')).toBe('task/fix');
  expect(made).toMatchObject({ owner: 'fix', branch: 'task/fix', base: 'main', ownsBranch: true });
  expect(stage.listed()).toEqual([made.path]);
  expect(stage.events()).toEqual(['created task/fix']);
  stage.write(made.path, 'new.txt', 'new\n');
  const state = await stage.worktrees.look(made);
  expect(state).toMatchObject({ dirty: ['new.txt'], dirty_count: 1, obstacle: null, exists: true });
  const diff = await stage.worktrees.diff(made);
  expect(diff.files).toMatchObject([
    { path: 'new.txt', status: 'added', additions: 1, dirty: true },
  ]);
  expect(diff.patch).toContain('+new');
  const snapshot = await stage.worktrees.snapshot(made);
  expect(snapshot.dirty).toBe(true);
  const checkout = await stage.worktrees.checkout(made, snapshot.commit);
  expect(stage.read(checkout.path, 'new.txt')).toBe('new\n');
  await checkout.dispose();
  await stage.remove('fix');
  expect(stage.listed()).toEqual([]);
  expect(existsSync(made.path)).toBe(false);
  expect(stage.holds('new\n')).toBe(true);
  expect(stage.worktrees.of('fix')).toEqual([]);
});
