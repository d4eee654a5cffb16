/** Linked worktrees are distinguished from the main one as `git rev-parse` does. */
import { mkdirSync, mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { mainWorktreePath } from '../../../server/worktrees/git/main-worktree.ts';
import { git, gitRepository } from '../../support/git/git-repository.ts';
import { TEST_ROOT } from '../../support/house/test-root.ts';

const root = realpathSync(mkdtempSync(join(TEST_ROOT, 'm')));
afterAll(() => rmSync(root, { recursive: true }));

const add = (repository: string, path: string) => {
  git(repository, 'worktree', 'add', '--quiet', '--detach', path);
  return path;
};

/** What git itself says. */
function isLinked(directory: string): boolean {
  const [own, common] = ['--git-dir', '--git-common-dir'].map((which) =>
    resolve(directory, git(directory, 'rev-parse', which)),
  );
  return own !== common;
}

it('LP38 git decides whether a directory is in a linked worktree, not its path', () => {
  const main = gitRepository(join(root, 'project'));
  const inMain = join(main, '.worktrees/one/AiTasks');
  mkdirSync(inMain, { recursive: true });
  const linked = join(add(main, join(root, 'elsewhere')), 'AiTasks');
  mkdirSync(linked);
  const submodule = join(main, 'vendor');
  git(main, '-c', 'protocol.file.allow=always', 'submodule', '--quiet', 'add', main, 'vendor');
  const cases: [string, string | null][] = [
    [main, null],
    [inMain, null],
    [linked, join(main, 'AiTasks')],
    [submodule, null],
  ];
  for (const [directory, expected] of cases) {
    expect([directory, mainWorktreePath(directory)]).toEqual([directory, expected]);
    expect(isLinked(directory)).toBe(expected !== null);
  }
  const outside = join(root, 'outside', '.worktrees');
  mkdirSync(outside, { recursive: true });
  expect(mainWorktreePath(outside)).toBe(null);
});

it.each(['.git', 'project.git'])('LP38 a bare %s has no main worktree to use instead', (name) => {
  const source = gitRepository(join(root, `source-${name}`));
  const bare = join(root, `bare-${name}`, name);
  git(root, 'clone', '--quiet', '--bare', source, bare);
  const linked = add(bare, join(root, `linked-${name}`));
  expect([isLinked(linked), mainWorktreePath(linked)]).toEqual([true, null]);
});
