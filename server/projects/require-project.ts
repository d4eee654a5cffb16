import { resolve } from 'node:path';
import { AppError } from '../lib/app-error.ts';
import { isBelow, realDirectory } from '../lib/files/real-directory.ts';

/**
 * The real path of a directory that a person named. Throws `outside_roots` and `project_missing`.
 */
export function requireProject(path: string, roots: readonly string[]): string {
  const directory = realDirectory(path);
  // For a path outside the roots, not even its existence is disclosed.
  const place = directory?.path ?? resolve(path);
  const isNamedBelow = () => roots.some((root) => resolve(path).startsWith(`${root}/`));
  if (!isBelow(place, roots) && !(directory === null && isNamedBelow())) {
    throw new AppError('outside_roots', `${path} is outside the roots ${roots.join(', ')}`);
  }
  if (directory !== null) return directory.path;
  const next = 'create it, or choose another';
  throw new AppError('project_missing', `${path} is not a directory; ${next}`);
}
