/** Directories whose sessions are none of Loopwatch's business. */
import { realDirectory } from '../lib/real-directory.ts';

/**
 * Returns whether a directory is one of those or below one, segment by segment: as they are named,
 * and where their links lead now.
 */
export function lookAway(directories: readonly string[]): (path: string) => boolean {
  const all = directories.flatMap((each) => [each, realDirectory(each)?.path ?? each]);
  const beginnings = all.map((each) => (each.endsWith('/') ? each : `${each}/`));
  return (path) => beginnings.some((beginning) => `${path}/`.startsWith(beginning));
}
