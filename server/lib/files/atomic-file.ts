/** Whole-file writes that a crash leaves either old or new, never half. */
import {
  closeSync,
  constants,
  copyFileSync,
  fchmodSync,
  fsyncSync,
  linkSync,
  lstatSync,
  openSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { randomId } from '../random-id.ts';

/** What the temporary file of a name begins with; one that was left over belongs to a killed write. */
export function temporaryPrefix(name: string): string {
  return `${name}.tmp-`;
}

/**
 * Replaces the file by temp + fsync + rename + fsync of the directory. Never follows a link at
 * either name. `previous` is a name under which the old file stays. Throws the system's error, and
 * then leaves the old file and no temporary one.
 */
export function writeFileAtomic(
  directory: string,
  name: string,
  content: string | Uint8Array,
  mode = 0o600,
  previous?: string,
): void {
  const path = join(directory, name);
  const temporary = join(directory, `${temporaryPrefix(name)}${randomId()}`);
  try {
    const { O_WRONLY, O_CREAT, O_EXCL, O_NOFOLLOW } = constants;
    const file = openSync(temporary, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, mode);
    try {
      // Exactly that mode: this process may mask some of it.
      fchmodSync(file, mode);
      // Not one `write`, which a disk that fills up cuts short without an error.
      writeFileSync(file, content);
      fsyncSync(file);
    } finally {
      closeSync(file);
    }
    if (previous !== undefined) keepAs(path, join(directory, previous));
    renameSync(temporary, path);
  } catch (error) {
    rmSync(temporary, { force: true });
    throw error;
  }
  const parent = openSync(directory, constants.O_RDONLY);
  try {
    fsyncSync(parent);
  } finally {
    closeSync(parent);
  }
}

/** A second name for the file, which stays where it is. A spare: without one the write continues. */
function keepAs(path: string, previous: string): void {
  try {
    rmSync(previous, { force: true });
    linkSync(path, previous);
  } catch {
    copyInstead(path, previous);
  }
}

/** For a file system without hard links, and for a first write, which has nothing to keep. */
function copyInstead(path: string, previous: string): void {
  try {
    // Copying would follow a link and wait for a FIFO.
    if (lstatSync(path).isFile()) copyFileSync(path, previous, constants.COPYFILE_EXCL);
  } catch {
    // Nothing to keep, or no space for it.
  }
}
