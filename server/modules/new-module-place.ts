import { lstatSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { AppError } from '../lib/app-error.ts';
import { isBelow, realDirectory } from '../lib/files/real-directory.ts';
import { isExcludedName } from './watching/module-tree.ts';

/** Of one name, on every usual file system. */
const MAX_NAME_BYTES = 255;

export interface PlaceRules {
  roots: readonly string[];
  /** Real path of the daemon's home. */
  home: string | null;
  /** A loop could work there: safe to type, and in no linked worktree. */
  isStartable: (realPath: string) => boolean;
}

/**
 * Where a module of that path would be, without links; parts of it may not exist yet. Throws
 * `unsafe_task_dir`, `outside_roots`, `module_excluded` or `directory_missing`.
 */
export function newModulePlace(path: string, { roots, home, isStartable }: PlaceRules): string {
  const wanted = resolve(path);
  if (wanted.split('/').some((name) => Buffer.byteLength(name) > MAX_NAME_BYTES)) {
    throw new AppError('unsafe_task_dir', 'a name in the path is too long; choose a shorter one');
  }
  const there = nearest(wanted);
  const real = realDirectory(there)?.path;
  const outside = new AppError('outside_roots', `${path} is outside the roots ${roots.join(', ')}`);
  if (real === undefined) {
    // For a path outside the roots, not even its existence is disclosed.
    if (!isBelow(realDirectory(dirname(there))?.path ?? '/', roots)) throw outside;
    throw new AppError('directory_missing', `${there} is not a directory; choose another path`);
  }
  const place = join(real, relative(there, wanted));
  if (!isBelow(real, roots)) throw outside;
  if (!isStartable(place) || !isStartable(real)) {
    throw new AppError(
      'unsafe_task_dir',
      'the path may contain only letters, digits, spaces and _./@+,:=~%-, outside of linked worktrees, because a loop is started on it',
    );
  }
  const isInHome = home !== null && (place === home || place.startsWith(`${home}/`));
  const root = roots
    .flatMap((each) => realDirectory(each)?.path ?? [])
    .filter((each) => isBelow(real, [each]));
  const names = root.map((each) =>
    relative(each, place)
      .split('/')
      .filter((name) => name !== ''),
  );
  // Of roots within each other, one that leads there openly is enough.
  if (isInHome || names.every((each) => each.some(isExcludedName))) {
    throw new AppError(
      'module_excluded',
      `${path} is in a hidden directory, in node_modules or in Loopwatch's own home, where it does not look for task modules; choose another path`,
    );
  }
  return place;
}

/** The path itself, or the first above it that exists. */
function nearest(path: string): string {
  return isThere(path) || path === dirname(path) ? path : nearest(dirname(path));
}

/** Below a file, and with a name that is too long, nothing is. */
function isThere(path: string): boolean {
  try {
    lstatSync(path);
    return true;
  } catch {
    return false;
  }
}
