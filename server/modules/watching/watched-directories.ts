import { dirname } from 'node:path';

/** chokidar reads a watched directory at each change: in a larger one that costs too much. */
const MAX_ENTRIES = 500;

/**
 * Modules first, then the directories they are in, where new ones appear; none that is large.
 * `entriesOf`: how many entries a directory has.
 */
export function watchedDirectories(
  modules: readonly string[],
  entriesOf: (path: string) => number,
): string[] {
  const all = [...new Set([...modules, ...modules.map((path) => dirname(path))])];
  return all.filter((path) => entriesOf(path) <= MAX_ENTRIES);
}
