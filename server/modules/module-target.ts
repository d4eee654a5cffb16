/** The target of a module as a text that people edit; what changed meanwhile is never replaced. */
import { createHash } from 'node:crypto';
import { lstatSync } from 'node:fs';
import { join } from 'node:path';
import {
  MAX_TARGET_LENGTH,
  type ModuleTarget,
  type SaveTarget,
} from '../../shared/schema/modules/modules.ts';
import { AppError } from '../lib/app-error.ts';
import { writeFileAtomic } from '../lib/files/atomic-file.ts';
import { toIso } from '../lib/clock.ts';
import { readHostileFile } from '../lib/files/hostile-file.ts';
import { refusalText } from './module-files.ts';
import { TARGET_FILE } from './task-module.ts';

/** A character is up to four bytes. */
const MAX_BYTES = 4 * MAX_TARGET_LENGTH;
const HASH_LENGTH = 22;

/** Never throws. */
export function readTarget(directory: string): ModuleTarget {
  const file = readHostileFile(join(directory, TARGET_FILE), MAX_BYTES);
  if (file.kind === 'absent') return { text: null, version: null, problem: null, changed_at: null };
  if (file.kind === 'refused') {
    return {
      text: null,
      version: file.mark,
      problem: refusalText(file.cause),
      changed_at: null,
    };
  }
  const version = createHash('sha256').update(file.text).digest('base64url').slice(0, HASH_LENGTH);
  const changed_at = toIso(Math.floor(file.modifiedMs));
  return { text: file.text, version, problem: null, changed_at };
}

/**
 * Throws `target_changed` with the text that is there now, and `target_not_editable` for what is no
 * text; then nothing was written. Throws the system's error.
 */
export function writeTarget(directory: string, { text, version }: SaveTarget): ModuleTarget {
  const current = readTarget(directory);
  if (current.problem !== null) {
    const next = 'replace it with a regular file, or edit it where it is';
    throw new AppError('target_not_editable', `${TARGET_FILE}: ${current.problem} ${next}`);
  }
  // Saved twice, or by two people with the same text.
  if (current.text === text) return current;
  if (current.version !== version) {
    const what = current.text === null ? 'was removed' : 'was changed';
    throw new AppError(
      'target_changed',
      `${TARGET_FILE} ${what} since it was read; compare both, then save again`,
      { text: current.text, version: current.version },
    );
  }
  const mode = lstatSync(join(directory, TARGET_FILE), { throwIfNoEntry: false })?.mode ?? 0o644;
  writeFileAtomic(directory, TARGET_FILE, text, mode & 0o777);
  return readTarget(directory);
}
