/**
 * A front for the git directory of a repository: links to all its data, and our configuration in
 * place of its own. Git that runs with a front never opens the repository's configuration, so
 * nothing in it counts, however it is included and whenever it changes.
 */
import { createHash } from 'node:crypto';
import { lstatSync, mkdirSync, readFileSync, readlinkSync, rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { systemCode } from '../../lib/app-error.ts';
import { writeFileAtomic } from '../../lib/files/atomic-file.ts';

/**
 * Everything that git shares between worktrees, except `config` and `hooks`; `lfs` is Git LFS's
 * store.
 */
const SHARED = [
  'HEAD',
  'objects',
  'refs',
  'packed-refs',
  'reftable',
  'logs',
  'worktrees',
  'info',
  'shallow',
  'lfs',
];

/** Git creates these itself, but not behind a link. */
const CREATED = ['logs', 'worktrees'];

/** One per repository, by the path of its git directory; created once, then kept up to date. */
export function makeFront(place: string, commonDirectory: string, configuration: string): string {
  const name = createHash('sha256').update(commonDirectory).digest('hex').slice(0, 20);
  const front = join(place, name);
  mkdirSync(front, { recursive: true, mode: 0o700 });
  for (const name of SHARED) link(join(commonDirectory, name), join(front, name));
  if (textOf(join(front, 'config')) !== configuration) {
    writeFileAtomic(front, 'config', configuration);
  }
  return front;
}

/** Call before git changes something. Never throws. A repository that was removed stays removed. */
export function makeShared(commonDirectory: string): void {
  for (const name of CREATED) {
    try {
      mkdirSync(join(commonDirectory, name));
    } catch {
      // It exists, or git meets the same obstacle and reports it itself.
    }
  }
}

function link(target: string, path: string): void {
  if (isLinkTo(path, target)) return;
  rmSync(path, { recursive: true, force: true });
  try {
    symlinkSync(target, path);
  } catch (error) {
    // Created by another call in the meantime.
    if (systemCode(error) !== 'EEXIST' || !isLinkTo(path, target)) throw error;
  }
}

function isLinkTo(path: string, target: string): boolean {
  const stat = lstatSync(path, { throwIfNoEntry: false });
  return stat?.isSymbolicLink() === true && readlinkSync(path) === target;
}

function textOf(path: string): string | null {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return null;
  }
}
