/** Which earlier version a fleet of two versions gets, by the history of the tree. */
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { git, gitRepository } from '../../support/git/git-repository.ts';
import { TEST_ROOT } from '../../support/house/test-root.ts';
import { findOldTree } from '../../support/versions/old-tree.ts';

const root = mkdtempSync(join(TEST_ROOT, 't'));
afterAll(() => rmSync(root, { recursive: true }));

/** A repository with this many commits; the first is the oldest. */
function history(name: string, length: number): { directory: string; commits: string[] } {
  const directory = gitRepository(join(root, name));
  while (Number(git(directory, 'rev-list', '--count', 'HEAD')) < length) {
    git(directory, 'commit', '--quiet', '--allow-empty', '--message', 'Continue');
  }
  return { directory, commits: git(directory, 'rev-list', '--reverse', 'HEAD').split('\n') };
}

it('the older version is the newest tag below this commit, else the fallback', () => {
  const { directory, commits } = history('tags', 4);
  const [first = '', second = '', third = ''] = commits;
  const find = () => findOldTree(directory, { asked: undefined, fallback: first });
  expect(find()).toEqual({ commit: first, name: first });
  git(directory, 'tag', 'v2', second);
  git(directory, 'tag', 'v3', third);
  git(directory, 'tag', 'v4');
  git(directory, 'checkout', '--quiet', '--orphan', 'other');
  git(directory, 'commit', '--quiet', '--allow-empty', '--message', 'Elsewhere');
  git(directory, 'tag', 'v5');
  git(directory, 'checkout', '--quiet', 'main');
  // Commits of one second have no order of time.
  expect(['v2', 'v3']).toContain((find() as { name: string }).name);
  git(directory, 'tag', '--delete', 'v2');
  expect(find()).toEqual({ commit: third, name: 'v3' });
});

it('one that was asked for must be there', () => {
  const { directory, commits } = history('asked', 2);
  const [first = ''] = commits;
  const find = (asked: string) => findOldTree(directory, { asked, fallback: 'none' });
  expect(find('HEAD~1')).toEqual({ commit: first, name: 'HEAD~1' });
  expect(() => find('v9')).toThrow('LOOPWATCH_TEST_OLD: the history has no v9');
});

it('without a history, or with a part of it, the reason is named', () => {
  const { directory } = history('part', 1);
  const fallback = 'a'.repeat(40);
  expect(findOldTree(directory, { asked: undefined, fallback })).toEqual({
    missing: `needs ${fallback} of the git history, which is not whole here`,
  });
  // As an unpacked archive inside of another repository.
  const inside = join(directory, 'inside');
  mkdirSync(inside);
  const none = { missing: 'needs the git history of the tree' };
  expect(findOldTree(inside, { asked: undefined, fallback: 'HEAD' })).toEqual(none);
});
