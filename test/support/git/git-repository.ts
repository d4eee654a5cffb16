import { execFileSync } from 'node:child_process';
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { TEST_ROOT } from '../house/test-root.ts';

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
  return makeOnce('Ada', directory, (empty) => {
    git(empty, 'init', '--quiet', '--initial-branch', 'main');
    git(empty, 'config', 'user.name', 'Ada');
    git(empty, 'config', 'user.email', 'ada@example.com');
    writeFileSync(join(empty, 'README.md'), 'A project.\n');
    git(empty, 'add', '.');
    git(empty, 'commit', '--quiet', '--message', 'Begin');
  });
}

interface MadeFile {
  path: string;
  /** Null of a directory. */
  content: Buffer | null;
  mode: number;
}

const made = new Map<string, MadeFile[]>();

/**
 * Copies into the directory what `make` writes into an empty one, the first time only: git costs a
 * fork for each step.
 */
export function makeOnce(kind: string, directory: string, make: (empty: string) => void): string {
  const files = made.get(kind) ?? makeFiles(make);
  made.set(kind, files);
  for (const { path, content, mode } of files) {
    if (content === null) mkdirSync(join(directory, path), { mode });
    else writeFileSync(join(directory, path), content, { mode });
  }
  return directory;
}

function makeFiles(make: (empty: string) => void): MadeFile[] {
  const empty = mkdtempSync(join(TEST_ROOT, 'g'));
  try {
    make(empty);
    return readAll(empty);
  } finally {
    rmSync(empty, { recursive: true });
  }
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
