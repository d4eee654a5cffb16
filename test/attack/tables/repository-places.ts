/** What can replace a file that git or the daemon reads. */
import { execFileSync } from 'node:child_process';
import {
  appendFileSync,
  mkdirSync,
  renameSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { asPerson, CANARY, type Plant } from '../repository.ts';

/** What must not be followed, waited for or read to its end; a task is created or clearly refused. */
export const PLACES: [string, Plant][] = [
  ['a configuration that is a FIFO', ({ git }) => fifo(join(git, 'config'))],
  ['a configuration that is a directory', ({ git }) => replace(join(git, 'config'), mkdirSync)],
  ['a configuration without an end', ({ git }) => link('/dev/zero', join(git, 'config'))],
  ['a configuration of 1 TB', ({ git }) => truncateSync(join(git, 'config'), 2 ** 40)],
  [
    'a configuration that is no text',
    ({ git }) => writeFileSync(join(git, 'config'), '[core\n\0"='),
  ],
  ['a HEAD that is a FIFO', ({ git }) => fifo(join(git, 'HEAD'))],
  ['a HEAD without an end', ({ git }) => link('/dev/zero', join(git, 'HEAD'))],
  [
    'a HEAD that leads outside',
    ({ git }) => writeFileSync(join(git, 'HEAD'), 'ref: refs/../../../x\n'),
  ],
  [
    'a HEAD in a circle',
    ({ git }) => writeFileSync(join(git, 'refs/heads/main'), 'ref: refs/heads/main\n'),
  ],
  [
    'a branch without its commit',
    ({ git }) => writeFileSync(join(git, 'refs/heads/main'), `${'1'.repeat(40)}\n`),
  ],
  [
    'packed branches that are no text',
    ({ git }) => writeFileSync(join(git, 'packed-refs'), '\0\xff'.repeat(99)),
  ],
  [
    'an index that is no index',
    ({ git }) => writeFileSync(join(git, 'index'), 'DIRC\xff\xff\xff\xff'),
  ],
  ['a branch called task', ({ run }) => void run('branch', 'task')],
  [
    'a common directory elsewhere',
    (planting) => {
      execFileSync('cp', ['-r', planting.git, join(planting.aside, 'other')]);
      appendFileSync(
        join(planting.aside, 'other/config'),
        `[core]\nfsmonitor = ${planting.program}\n`,
      );
      writeFileSync(join(planting.git, 'commondir'), join(planting.aside, 'other'));
    },
  ],
  ['a git directory behind a link', ({ git, aside }) => moved(git, join(aside, 'git'))],
  [
    'a git directory named by a file',
    ({ git, aside }) => {
      renameSync(git, join(aside, 'git'));
      writeFileSync(git, `gitdir: ${join(aside, 'git')}\n`);
    },
  ],
  [
    'a directory of worktrees that is a link',
    ({ repository, aside }) => symlinkSync(aside, join(repository, '.claude_worktrees')),
  ],
  [
    'a directory of worktrees that is a file',
    ({ repository }) => writeFileSync(join(repository, '.claude_worktrees'), 'mine'),
  ],
  [
    'a list of worktrees that is a link',
    ({ git, aside }) => symlinkSync(aside, join(git, 'worktrees')),
  ],
  [
    'a list of excluded files that is a link',
    ({ git, aside }) => link(join(aside, 'program'), join(git, 'info/exclude')),
  ],
  ['a list of excluded files that is a FIFO', ({ git }) => fifo(join(git, 'info/exclude'))],
];

function replace(path: string, make: (path: string) => void): void {
  rmSync(path, { recursive: true, force: true });
  make(path);
}

const fifo = (path: string) => replace(path, (at) => execFileSync('mkfifo', [at]));
const link = (to: string, path: string) => replace(path, (at) => symlinkSync(to, at));

function moved(git: string, to: string): void {
  renameSync(git, to);
  symlinkSync(to, git);
}

/** What an agent can leave in its worktree; the path is that of the worktree. */
export const LEFT: [string, (path: string) => void][] = [
  ['a link to a secret', (path) => symlinkSync(secretNextTo(path), join(path, 'link'))],
  ['a link in the place of a file', (path) => link(secretNextTo(path), join(path, 'a.txt'))],
  ['a FIFO', (path) => execFileSync('mkfifo', [join(path, 'fifo')])],
  ['a FIFO in the place of its attributes', (path) => fifo(join(path, '.gitattributes'))],
  ['a FIFO in the place of what it ignores', (path) => fifo(join(path, '.gitignore'))],
  ['a name of two lines', (path) => writeFileSync(join(path, 'a\nb'), 'x')],
  ['a name that is an option', (path) => writeFileSync(join(path, '--output=pwned'), 'x')],
  ['a name that is a pattern', (path) => writeFileSync(join(path, ':(top)*'), 'x')],
  ['a name with an escape', (path) => writeFileSync(join(path, '\u001b]52;c;x\u0007'), 'x')],
  [
    'a name that is no text',
    (path) => writeFileSync(Buffer.from(`${path}/\xff\xfe`, 'latin1'), 'x'),
  ],
  [
    'a repository of its own with a monitor',
    (path) => {
      const inner = join(path, 'inner');
      mkdirSync(inner);
      asPerson(inner, ['init', '--quiet']);
      const program = join(path, '../../../', `${repositoryOf(path)}-aside/program`);
      appendFileSync(join(inner, '.git/config'), `[core]\nfsmonitor = ${program}\n`);
    },
  ],
  [
    'a .git that leads elsewhere',
    (path) => writeFileSync(join(path, '.git'), 'gitdir: /nonexistent\n'),
  ],
  ['a .git that is a FIFO', (path) => fifo(join(path, '.git'))],
  ['a FIFO as what git keeps of it', (path) => fifo(entryOf(path, 'gitdir'))],
];

/** Git's own entry for the worktree. */
const entryOf = (path: string, name: string) =>
  join(path, '../../.git/worktrees', path.split('/').at(-1) ?? '', name);

const repositoryOf = (worktree: string) => worktree.split('/').at(-3) ?? '';

function secretNextTo(worktree: string): string {
  const file = join(worktree, '../../../', `${repositoryOf(worktree)}-aside/secret`);
  writeFileSync(file, CANARY);
  return file;
}
