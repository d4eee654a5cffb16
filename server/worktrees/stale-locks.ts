import { lstatSync, rmSync } from 'node:fs';
import { basename, join } from 'node:path';
import { entryDirectory } from './worktree-entry.ts';
import type { WorktreeRecord } from './worktree-store.ts';

/** No git that works holds one of these for longer. */
const STALE_LOCK_MS = 60_000;

/**
 * Takes a worktree and the time, in milliseconds; removes what a killed git left of its locks, for as long
 * as they lie nothing could be done there: those of the worktree itself, of its branch, and of its
 * snapshots. Locks of the whole repository are a person’s to remove. Throws the system's error.
 */
export function dropStaleLocks(
  { repository, path, branch }: Pick<WorktreeRecord, 'repository' | 'path' | 'branch'>,
  nowMs: number,
): void {
  const entry = entryDirectory(repository, path);
  const refs = [`refs/heads/${branch}`, `refs/loopwatch/verified/${basename(path)}`];
  const locked = [
    ...(entry === null ? [] : [join(entry, 'index'), join(entry, 'HEAD')]),
    ...refs.map((ref) => join(repository, '.git', ref)),
  ];
  for (const file of locked) {
    const lock = `${file}.lock`;
    const stat = lstatSync(lock, { throwIfNoEntry: false });
    if (stat?.isFile() === true && nowMs - stat.mtimeMs > STALE_LOCK_MS) {
      rmSync(lock, { force: true });
    }
  }
}
