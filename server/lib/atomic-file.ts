/** Whole-file writes that a crash leaves either old or new, never half. */
import {
  closeSync,
  constants,
  fsyncSync,
  openSync,
  renameSync,
  unlinkSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import { randomId } from './random-id.ts';

/**
 * Replaces the file by temp + fsync + rename + fsync of the directory. Never follows a link at
 * either name. Throws the system's error.
 */
export function writeFileAtomic(
  directory: string,
  name: string,
  content: string,
  mode = 0o600,
): void {
  const temporary = join(directory, `${name}.tmp-${randomId()}`);
  const { O_WRONLY, O_CREAT, O_EXCL, O_NOFOLLOW } = constants;
  const file = openSync(temporary, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, mode);
  try {
    writeSync(file, content);
    fsyncSync(file);
  } catch (error) {
    unlinkSync(temporary);
    throw error;
  } finally {
    closeSync(file);
  }
  renameSync(temporary, join(directory, name));
  const parent = openSync(directory, constants.O_RDONLY);
  try {
    fsyncSync(parent);
  } finally {
    closeSync(parent);
  }
}
