/**
 * The settings file of the user's client, read and replaced whole. A link is followed to its file,
 * which is replaced where it is; what is not a plain file of this user is refused.
 */
import { lstatSync, realpathSync, rmSync, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { readHostileFile, type Refusal } from '../lib/files/hostile-file.ts';
import { writeFileAtomic } from '../lib/files/atomic-file.ts';

/** A person's settings file has some kilobytes. */
const MAX_BYTES = 1024 * 1024;
const PERMISSION_BITS = 0o7777;
/** As the client creates it. */
const NEW_MODE = 0o600;

const REFUSALS: Record<Refusal, string> = {
  not_a_file: 'it is not a regular file',
  too_large: 'it is larger than 1 MiB',
  not_utf8: 'it is not UTF-8 text',
  foreign_owner: 'it belongs to another user',
  hard_link: 'it has more than one hard link, which a replacement would break',
  unreadable: 'it cannot be read',
};

/** `file`: where the content is, behind any link. `text` is null without a file. */
export type SettingsFile =
  | { file: string; text: string | null; mode: number; refusal: null }
  | { file: string; text: null; mode: number; refusal: string };

/** Of the client with that configuration directory. */
export function readSettingsFile(directory: string): SettingsFile {
  const path = join(directory, 'settings.json');
  const none = { file: path, text: null, mode: NEW_MODE };
  if (!isDirectory(directory)) {
    return { ...none, refusal: `${directory} does not exist: start the client once` };
  }
  let file: string;
  try {
    file = realpathSync(path);
  } catch {
    const isDangling = lstatSync(path, { throwIfNoEntry: false }) !== undefined;
    return { ...none, refusal: isDangling ? 'it is a link that leads nowhere' : null };
  }
  const read = readHostileFile(file, MAX_BYTES);
  if (read.kind === 'absent') return { ...none, file, refusal: REFUSALS.unreadable };
  if (read.kind === 'refused') return { ...none, file, refusal: REFUSALS[read.cause] };
  const stat = statSync(file);
  if (stat.size !== Buffer.byteLength(read.text)) {
    return { ...none, file, refusal: 'it begins with a byte order mark: remove it first' };
  }
  return { file, text: read.text, mode: stat.mode & PERMISSION_BITS, refusal: null };
}

/** Replaces it in one step, or removes it with `text` null. Throws the system's error. */
export function writeSettingsFile(
  { file, mode }: Pick<SettingsFile, 'file' | 'mode'>,
  text: string | null,
): void {
  if (text === null) rmSync(file);
  else writeFileAtomic(dirname(file), basename(file), text, mode);
}

function isDirectory(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
}
