import { readdirSync, readFileSync } from 'node:fs';

/** Of the files this process may have open, one in so many may be a kept reading of a process. */
export const KEPT_READINGS = 8;

/** How many files this process may have open; null where unknown. */
export function openFileLimit(): number | null {
  try {
    const soft = /^Max open files\s+(\d+)/m.exec(readFileSync('/proc/self/limits', 'utf8'))?.[1];
    return soft === undefined ? null : Number(soft);
  } catch {
    return null;
  }
}

/** How many files this process has open; null where unknown. */
export function openFileCount(): number | null {
  try {
    // One of them is the directory being read.
    return readdirSync('/proc/self/fd').length - 1;
  } catch {
    return null;
  }
}
