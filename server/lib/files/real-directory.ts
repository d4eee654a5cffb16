/** Directories by identity, not by spelling. */
import { realpathSync, statSync } from 'node:fs';
import { sep } from 'node:path';

export interface RealDirectory {
  /** Absolute, without links. */
  path: string;
  /** Device and inode. */
  identity: string;
}

/** Null when the path leads to no directory. */
export function realDirectory(path: string): RealDirectory | null {
  try {
    const real = realpathSync.native(path);
    const identity = identityOf(real);
    return identity === null ? null : { path: real, identity };
  } catch {
    return null;
  }
}

/** Device and inode of the directory that is there now, or null. */
export function identityOf(path: string): string | null {
  try {
    const stat = statSync(path, { bigint: true });
    return stat.isDirectory() ? `${stat.dev}:${stat.ino}` : null;
  } catch {
    return null;
  }
}

/** True for a root itself and for what is below one, segment by segment. `path` must be real. */
export function isBelow(path: string, roots: readonly string[]): boolean {
  return roots.some((root) => {
    const real = realDirectory(root)?.path;
    if (real === undefined) return false;
    return path === real || path.startsWith(real.endsWith(sep) ? real : real + sep);
  });
}
