import { resolve } from 'node:path';
import { AppError } from '../lib/app-error.ts';
import { isBelow, realDirectory } from '../lib/real-directory.ts';

/**
 * Takes a path as a person wrote it and the roots; gives the real path of the directory. Throws
 * `outside_roots` and `project_missing`.
 */
export function requireProject(path: string, roots: readonly string[]): string {
  const directory = realDirectory(path);
  // Of what lies elsewhere not even whether it is there is told.
  const place = directory?.path ?? resolve(path);
  const isNamedBelow = () => roots.some((root) => resolve(path).startsWith(`${root}/`));
  if (!isBelow(place, roots) && !(directory === null && isNamedBelow())) {
    throw new AppError('outside_roots', `${path} is outside the roots ${roots.join(', ')}`);
  }
  if (directory !== null) return directory.path;
  const next = 'create it, or choose another';
  throw new AppError('project_missing', `${path} is not a directory; ${next}`);
}
