import { readdirSync, readFileSync } from 'node:fs';

/** Takes nothing; gives how many files this process may have open, or null where nobody says. */
export function openFileLimit(): number | null {
  try {
    const soft = /^Max open files\s+(\d+)/m.exec(readFileSync('/proc/self/limits', 'utf8'))?.[1];
    return soft === undefined ? null : Number(soft);
  } catch {
    return null;
  }
}

/** Takes nothing; gives how many files this process has open, or null where nobody says. */
export function openFileCount(): number | null {
  try {
    // One of them is the directory that is being read.
    return readdirSync('/proc/self/fd').length - 1;
  } catch {
    return null;
  }
}
