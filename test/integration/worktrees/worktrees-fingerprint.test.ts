/** What makes two states of a worktree the same, with real git. */
import { utimesSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { WorktreeStage } from '../../support/git/worktree-stage.ts';

it('WT60 the fingerprint changes with commit, index and files, and with nothing else', async () => {
  using stage = new WorktreeStage();
  stage.write(stage.repository, '.gitignore', '*.log\n');
  stage.commit(stage.repository, 'ignore');
  const made = await stage.create('fix');
  const seen: string[] = [];
  const isNew = async () => {
    const fingerprint = await stage.worktrees.fingerprint(made);
    const before = seen.includes(fingerprint);
    seen.push(fingerprint);
    return !before;
  };
  expect(await isNew()).toBe(true);
  stage.write(made.path, 'x.log', 'ignored\n');
  utimesSync(join(made.path, 'README'), 1, 1);
  expect(await isNew()).toBe(false);
  stage.write(made.path, 'new.txt', 'one\n');
  expect(await isNew()).toBe(true);
  stage.write(made.path, 'new.txt', 'two\n');
  expect(await isNew()).toBe(true);
  stage.git(made.path, 'add', 'new.txt');
  stage.write(made.path, 'new.txt', 'three\n');
  expect(await isNew()).toBe(true);
  stage.git(made.path, 'reset', '-q');
  expect(await isNew()).toBe(true);
  stage.git(made.path, 'add', '--all');
  stage.commit(made.path, 'all');
  expect(await isNew()).toBe(true);
  expect(await isNew()).toBe(false);
});

it('WT60 reading the fingerprint changes nothing', async () => {
  using stage = new WorktreeStage();
  const made = await stage.create('fix');
  stage.write(made.path, 'new.txt', 'one\n');
  const footprint = () =>
    [
      stage.git(made.path, '--no-optional-locks', 'status', '--porcelain=v2', '--branch'),
      stage.git(made.path, 'for-each-ref'),
      stage.git(made.path, 'count-objects', '-v'),
    ].join('\n');
  const before = footprint();
  await stage.worktrees.fingerprint(made);
  expect(footprint()).toBe(before);
});
