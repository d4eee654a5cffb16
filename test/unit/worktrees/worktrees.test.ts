/** Decisions about worktrees that need no git. */
import { execFileSync } from 'node:child_process';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { AppError } from '../../../server/lib/app-error.ts';
import { inTheWay } from '../../../server/worktrees/changing/branch-hold.ts';
import { requireGitVersion } from '../../../server/worktrees/git/git-version.ts';
import {
  knownSettings,
  parseSettings,
  type Setting,
} from '../../../server/worktrees/git/known-settings.ts';
import { parseChanges } from '../../../server/worktrees/reading/work-diff.ts';

it('WT16 the version of git is read with any text around it', () => {
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

const NAME = fc.stringMatching(/^[a-z][a-z0-9-]{0,9}$/);
const TEXT = fc.string({ unit: 'grapheme', maxLength: 30 }).filter((text) => !text.includes('\0'));
const WITHOUT_LINE = TEXT.filter((text) => !/[\n\0]/.test(text));

const anySetting = fc.record({
  key: fc.oneof(
    fc.constantFrom('core.autocrlf', 'core.bare', 'core.fsmonitor', 'extensions.objectformat'),
    fc
      .tuple(fc.constantFrom('remote', 'filter', 'include', 'alias'), WITHOUT_LINE, NAME)
      .map(([section, subsection, name]) => `${section}.${subsection}.${name}`),
    fc
      .tuple(WITHOUT_LINE, fc.constantFrom('url', 'uploadpack', 'vcs'))
      .map(([remote, name]) => `remote.${remote}.${name}`),
  ),
  value: fc.option(TEXT),
});

/** As git reads a configuration file. */
function readByGit(text: string): Setting[] {
  const args = ['config', '--file', '-', '--list', '-z'];
  return parseSettings(execFileSync('git', args, { input: text, cwd: '/', encoding: 'utf8' }));
}

it('WT39 of all settings git reads the known ones, each with its exact value, and no other', () => {
  const isKnown = ({ key }: Setting) =>
    /^(core\.autocrlf|extensions\.objectformat)$|^remote\..+\.url$/s.test(key);
  fc.assert(
    fc.property(fc.array(anySetting, { maxLength: 6 }), (settings) => {
      expect(readByGit(knownSettings(settings))).toEqual([
        { key: 'core.bare', value: 'false' },
        { key: 'core.repositoryformatversion', value: '0' },
        ...settings.filter(isKnown),
      ]);
    }),
    { numRuns: 40 },
  );
});

it('WT39 settings of one worktree alone are not read, and formats are', () => {
  const settings = ['worktreeconfig', 'objectformat', 'refstorage', 'partialclone'].map((name) => ({
    key: `extensions.${name}`,
    value: 'x',
  }));
  const known = readByGit(knownSettings(settings)).map(({ key }) => key);
  expect(known.slice(2)).toEqual(settings.slice(1).map(({ key }) => key));
});

it('WT12 names of files are taken as git gives them, with tabs and newlines', () => {
  const listing = [
    ':100644 100644 aaa bbb M',
    'tab\tand\nline',
    ':100644 100644 aaa aaa R100',
    'old',
    'new',
    ':000000 100644 000 ccc A',
    '1\t2\t3',
    '1\t2\ttab\tand\nline',
    '0\t0\t',
    'old',
    'new',
    '-\t-\t1\t2\t3',
    '',
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

it('WT45 a file is in the way of a path, of its directories and of what is below it', () => {
  const changes = { fresh: ['a', 'dir/b', 'x y'], ignored: ['out/', 'deep/er/c.o'] };
  const rows: [string, string | null][] = [
    ['a', 'a'],
    ['a/below', 'a'],
    ['ab', null],
    ['A', null],
    ['dir', 'dir/b'],
    ['dir/b', 'dir/b'],
    ['dir/bc', null],
    ['out', 'out/'],
    ['out/new.o', 'out/'],
    ['outer', null],
    ['deep', 'deep/er/c.o'],
    ['deep/er/d.o', null],
    ['', null],
  ];
  for (const [touched, blocking] of rows) {
    expect([touched, inTheWay(changes, ['other', touched])]).toEqual([touched, blocking]);
  }
});
