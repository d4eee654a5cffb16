import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const ENVIRONMENT = {
  PATH: process.env['PATH'],
  HOME: '/nonexistent',
  LANG: 'C.UTF-8',
  GIT_AUTHOR_NAME: 'Ada',
  GIT_AUTHOR_EMAIL: 'ada@example.com',
  GIT_COMMITTER_NAME: 'Ada',
  GIT_COMMITTER_EMAIL: 'ada@example.com',
};

/** Runs git in a directory as a person would; returns its output. */
export function git(directory: string, ...args: string[]): string {
  return execFileSync('git', args, { cwd: directory, env: ENVIRONMENT, encoding: 'utf8' }).trim();
}

/** Creates a repository with one commit on `main`; returns its directory. */
export function gitRepository(directory: string): string {
  mkdirSync(directory, { recursive: true });
  return makeOnce('Ada', directory, () => {
    git(directory, 'init', '--quiet', '--initial-branch', 'main');
    git(directory, 'config', 'user.name', 'Ada');
    git(directory, 'config', 'user.email', 'ada@example.com');
    writeFileSync(join(directory, 'README.md'), 'A project.\n');
    git(directory, 'add', '.');
    git(directory, 'commit', '--quiet', '--message', 'Begin');
  });
}

interface MadeFile {
  path: string;
  /** Null of a directory. */
  content: Buffer | null;
  mode: number;
}

const made = new Map<string, MadeFile[]>();

/** Fills an empty directory by `make` the first time, then with a copy of that: git costs a fork for each step. */
export function makeOnce(kind: string, directory: string, make: () => void): string {
  const files = made.get(kind);
  if (files === undefined) {
    make();
    made.set(kind, readAll(directory));
  }
  for (const { path, content, mode } of files ?? []) {
    if (content === null) mkdirSync(join(directory, path), { mode });
    else writeFileSync(join(directory, path), content, { mode });
  }
  return directory;
}

function readAll(directory: string): MadeFile[] {
  const paths = readdirSync(directory, { recursive: true, encoding: 'utf8' }).sort();
  return paths
    .filter((path) => !path.endsWith('.sample'))
    .map((path) => {
      const stat = statSync(join(directory, path));
      const content = stat.isDirectory() ? null : readFileSync(join(directory, path));
      return { path, content, mode: stat.mode & 0o777 };
    });
}
