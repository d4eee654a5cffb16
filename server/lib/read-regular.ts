import { closeSync, constants, fstatSync, openSync, readFileSync } from 'node:fs';

/**
 * Takes a path in a directory that others write to, and a limit in bytes; gives the text, or null for
 * what is no file or larger, or cannot be read. A FIFO in its place holds up nothing. Links are followed.
 */
export function readRegular(path: string, maxBytes: number): string | null {
  let file: number;
  try {
    file = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
  } catch {
    return null;
  }
  try {
    const stat = fstatSync(file);
    return stat.isFile() && stat.size <= maxBytes ? readFileSync(file, 'utf8') : null;
  } catch {
    return null;
  } finally {
    closeSync(file);
  }
}
