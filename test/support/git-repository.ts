import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
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
  git(directory, 'init', '--quiet', '--initial-branch', 'main');
  git(directory, 'config', 'user.name', 'Ada');
  git(directory, 'config', 'user.email', 'ada@example.com');
  writeFileSync(join(directory, 'README.md'), 'A project.\n');
  git(directory, 'add', '.');
  git(directory, 'commit', '--quiet', '--message', 'Begin');
  return directory;
}
