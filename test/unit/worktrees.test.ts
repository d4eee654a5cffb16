/** What is decided about worktrees without running git. */
import { expect, it } from 'vitest';
import { AppError } from '../../server/lib/app-error.ts';
import { quieten } from '../../server/worktrees/foreign-drivers.ts';
import { requireGitVersion } from '../../server/worktrees/git-version.ts';
import { parseChanges } from '../../server/worktrees/work-diff.ts';

it('WT16 the version of git is read from whatever it says around it', () => {
  for (const answer of [
    'git version 2.26.0',
    'git version 2.39.5 (Apple Git-154)',
    'git version 3.0',
  ]) {
    expect(() => requireGitVersion(answer)).not.toThrow();
  }
  for (const answer of ['git version 2.25.9', 'git version 1.99.0', 'what?']) {
    expect(() => requireGitVersion(answer)).toThrow(AppError);
  }
});

it('WT15 each driver of the repository’s own places is switched off once, no other', () => {
  const listing = [
    ...['global', 'filter.lfs.clean', 'local', 'filter.a.b.clean', 'local', 'filter.a.b.smudge'],
    ...['worktree', 'diff.x.textconv', 'local', 'merge.y.driver', 'local', 'diff.renames', ''],
  ].join('\0');
  expect(quieten(listing).filter((word) => word !== '-c')).toEqual([
    ...['filter.a.b.clean=', 'filter.a.b.smudge=', 'filter.a.b.process='],
    ...['filter.a.b.required=false', 'diff.x.command=', 'diff.x.textconv=', 'merge.y.driver='],
  ]);
  expect(quieten('')).toEqual([]);
});

it('WT12 names of files are taken as git gives them, with tabs and newlines', () => {
  const listing = [
    ...[':100644 100644 aaa bbb M', 'tab\tand\nline', ':100644 100644 aaa aaa R100', 'old', 'new'],
    ...[':000000 100644 000 ccc A', '1\t2\t3', '1\t2\ttab\tand\nline', '0\t0\t', 'old', 'new'],
    ...['-\t-\t1\t2\t3', ''],
  ].join('\0');
  expect(parseChanges(listing, new Set(['old']))).toEqual([
    change('tab\tand\nline', 'modified', 1, 2),
    { ...change('new', 'renamed', 0, 0), dirty: true, from: 'old' },
    change('1\t2\t3', 'added', null, null),
  ]);
});

function change(path: string, status: string, additions: number | null, deletions: number | null) {
  return { path, status, additions, deletions, dirty: false, from: null };
}
