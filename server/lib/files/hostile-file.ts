/**
 * Reads a small file that another party controls. A FIFO never blocks, a link is never followed, a
 * device or a huge file is never read; the answer says which of these it was.
 */
import {
  closeSync,
  constants,
  fstatSync,
  lstatSync,
  openSync,
  readFileSync,
  readSync,
  type Stats,
} from 'node:fs';
import { systemCode } from '../app-error.ts';

export type HostileFile =
  | { kind: 'text'; text: string; mark: string; modifiedMs: number }
  | { kind: 'absent' }
  | { kind: 'refused'; cause: Refusal; mark: string };

export type Refusal =
  'not_a_file' | 'too_large' | 'not_utf8' | 'foreign_owner' | 'hard_link' | 'unreadable';

/** Room for what is appended between asking for the size and reading. */
const GROWTH_BYTES = 64 * 1024;

/** Asked once: a list of thousands of files compares it with the owner of each. */
const OWN_UID = process.getuid?.() ?? null;

const decoder = new TextDecoder('utf-8', { fatal: true });

/**
 * Device, inode, change time and size of what is there now; null when nothing is. Cheap enough for
 * a poll; equal marks mean the file was not touched.
 */
export function markOf(path: string): string | null {
  try {
    // Most polls find nothing, and an error costs ten times the call.
    const stat = lstatSync(path, { bigint: true, throwIfNoEntry: false });
    if (stat === undefined) return null;
    return `${stat.dev}:${stat.ino}:${stat.mtimeNs}:${stat.ctimeNs}:${stat.size}`;
  } catch {
    return null;
  }
}

/**
 * The text with the mark it was read under, or why it was not read. Of a larger file nothing is
 * read, or with `part` its last whole lines.
 */
export function readHostileFile(
  path: string,
  maxBytes: number,
  part: 'whole' | 'last_lines' = 'whole',
): HostileFile {
  const mark = markOf(path);
  if (mark === null) return { kind: 'absent' };
  const refused = (cause: Refusal): HostileFile => ({ kind: 'refused', cause, mark });
  const opened = openHostileFile(path);
  if (opened === 'absent') return { kind: 'absent' };
  if (typeof opened === 'string') return refused(opened);
  const { file, stat } = opened;
  try {
    const skipped = part === 'whole' ? 0 : Math.max(0, stat.size - maxBytes);
    if (stat.size - skipped > maxBytes) return refused('too_large');
    // What is appended meanwhile has another mark: the next poll reads it.
    const buffer = Buffer.allocUnsafe(Math.min(maxBytes, stat.size - skipped + GROWTH_BYTES) + 1);
    const length = readSync(file, buffer, 0, buffer.length, skipped);
    if (length > maxBytes && part === 'whole') return refused('too_large');
    const from = skipped === 0 ? 0 : buffer.subarray(0, length).indexOf('\n') + 1;
    const text = decoder.decode(buffer.subarray(from, length));
    return { kind: 'text', text, mark, modifiedMs: stat.mtimeMs };
  } catch (error) {
    return refused(error instanceof TypeError ? 'not_utf8' : 'unreadable');
  } finally {
    closeSync(file);
  }
}

/**
 * Opens it for reading; the caller closes it. Only a regular file of this user is opened, with at
 * most `mostNames` hard links.
 */
export function openHostileFile(
  path: string,
  mostNames = 1,
): { file: number; stat: Stats } | 'absent' | Refusal {
  let file: number;
  try {
    file = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOFOLLOW);
  } catch (error) {
    const code = systemCode(error);
    // Running out of files is not a property of this one: the next poll reads it.
    if (code === 'ENOENT' || code === 'EMFILE' || code === 'ENFILE') return 'absent';
    return code === 'ELOOP' || code === 'ENXIO' ? 'not_a_file' : 'unreadable';
  }
  const stat = statOrRefusal(file, mostNames);
  if (typeof stat !== 'string') return { file, stat };
  closeSync(file);
  return stat;
}

function statOrRefusal(file: number, mostNames: number): Stats | Refusal {
  try {
    const stat = fstatSync(file);
    if (!stat.isFile()) return 'not_a_file';
    if (stat.nlink > mostNames) return 'hard_link';
    const isForeign = OWN_UID !== null && stat.uid !== OWN_UID;
    return isForeign ? 'foreign_owner' : stat;
  } catch {
    return 'unreadable';
  }
}

/**
 * For a directory that others write to. Null for what is larger than `maxBytes`, no file, or
 * unreadable. A FIFO there never blocks. Links are followed.
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
