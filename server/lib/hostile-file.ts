/**
 * Reads a small file that somebody else controls. A FIFO never blocks, a link is never followed, a
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
} from 'node:fs';
import { systemCode } from './app-error.ts';

export type HostileFile =
  | { kind: 'text'; text: string; mark: string; modifiedMs: number }
  | { kind: 'absent' }
  | { kind: 'refused'; cause: Refusal; mark: string };

export type Refusal =
  'not_a_file' | 'too_large' | 'not_utf8' | 'foreign_owner' | 'hard_link' | 'unreadable';

const decoder = new TextDecoder('utf-8', { fatal: true });

/**
 * Takes a path; gives the identity of what is there now (device, inode, change time, size), or null
 * when nothing is. Cheap enough for a poll; two equal marks mean the file was not touched.
 */
export function markOf(path: string): string | null {
  try {
    const stat = lstatSync(path, { bigint: true });
    return `${stat.dev}:${stat.ino}:${stat.mtimeNs}:${stat.ctimeNs}:${stat.size}`;
  } catch {
    return null;
  }
}

/**
 * Takes a path and a limit in bytes; gives the text with the mark it was read under, or why not. Of
 * a file that is larger nothing is read, or with `part` its last whole lines.
 */
export function readHostileFile(
  path: string,
  maxBytes: number,
  part: 'whole' | 'last_lines' = 'whole',
): HostileFile {
  const mark = markOf(path);
  if (mark === null) return { kind: 'absent' };
  const refused = (cause: Refusal): HostileFile => ({ kind: 'refused', cause, mark });
  let file: number;
  try {
    file = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOFOLLOW);
  } catch (error) {
    const code = systemCode(error);
    // Out of files says nothing of this one: it is read at the next look.
    if (code === 'ENOENT' || code === 'EMFILE' || code === 'ENFILE') return { kind: 'absent' };
    return refused(code === 'ELOOP' || code === 'ENXIO' ? 'not_a_file' : 'unreadable');
  }
  try {
    const stat = fstatSync(file);
    if (!stat.isFile()) return refused('not_a_file');
    if (stat.nlink > 1) return refused('hard_link');
    if (process.getuid !== undefined && stat.uid !== process.getuid()) {
      return refused('foreign_owner');
    }
    const skipped = part === 'whole' ? 0 : Math.max(0, stat.size - maxBytes);
    if (stat.size - skipped > maxBytes) return refused('too_large');
    const buffer = Buffer.allocUnsafe(maxBytes + 1);
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
