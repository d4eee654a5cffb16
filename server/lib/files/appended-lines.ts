/**
 * Reads a file of lines that another party appends to: each complete line once, from a place that
 * outlives the process. Memory and time of a call are bounded for any file.
 */
import { closeSync, readSync } from 'node:fs';
import { openHostileFile } from './hostile-file.ts';

/** Where reading continues. */
export interface FilePosition {
  /** Device and inode. Another file under the same name is read from its start. */
  identity: string;
  /** In bytes: after the last complete line, or inside one that is too long. */
  offset: number;
  /** The rest of a line that is too long follows; it is skipped. */
  isInside: boolean;
}

export interface AppendedLines {
  lines: string[];
  /** In bytes: where the first of the lines begins. */
  start: number;
  place: FilePosition;
  /** Nothing complete follows at present. */
  isEnd: boolean;
}

/** Read at once; a longer line is skipped. */
const CHUNK_BYTES = 1024 * 1024;
const NEWLINE = 0x0a;

/**
 * The next complete lines, of at most `chunkBytes`. A file that was replaced, cut or rewritten is
 * read from its start again. Null when it is absent or may not be read.
 */
export function readAppendedLines(
  path: string,
  from: FilePosition | null,
  chunkBytes = CHUNK_BYTES,
): AppendedLines | null {
  const opened = openHostileFile(path);
  if (typeof opened === 'string') return null;
  const { file, stat } = opened;
  try {
    const identity = `${stat.dev}:${stat.ino}`;
    const known = continues(file, from, { identity, size: stat.size }) ? from : null;
    const { offset, isInside } = known ?? { offset: 0, isInside: false };
    const buffer = Buffer.allocUnsafe(Math.min(chunkBytes, stat.size - offset));
    const length = buffer.length === 0 ? 0 : readSync(file, buffer, 0, buffer.length, offset);
    const chunk = buffer.subarray(0, length);
    const last = chunk.lastIndexOf(NEWLINE);
    const isEnd = offset + length >= stat.size;
    if (last === -1) {
      const skips = isInside || length === chunkBytes;
      const place = { identity, offset: skips ? offset + length : offset, isInside: skips };
      return { lines: [], start: offset, place, isEnd };
    }
    const first = isInside ? chunk.indexOf(NEWLINE) + 1 : 0;
    const text = chunk.subarray(first, last + 1).toString('utf8');
    const lines = text.split('\n').slice(0, -1);
    const place = { identity, offset: offset + last + 1, isInside: false };
    return { lines, start: offset + first, place, isEnd };
  } catch {
    return null;
  } finally {
    closeSync(file);
  }
}

/**
 * Where the first complete line of the last `bytes` before `end`, or before the end of the file, begins
 * to be looked for; null without a file.
 */
export function placeBefore(path: string, bytes: number, end = Infinity): FilePosition | null {
  const opened = openHostileFile(path);
  if (typeof opened === 'string') return null;
  const { file, stat } = opened;
  closeSync(file);
  const offset = Math.max(0, Math.min(stat.size, end) - bytes);
  return { identity: `${stat.dev}:${stat.ino}`, offset, isInside: offset > 0 };
}

function continues(
  file: number,
  from: FilePosition | null,
  now: { identity: string; size: number },
): boolean {
  if (from?.identity !== now.identity || from.offset > now.size) return false;
  if (from.offset === 0 || from.isInside) return true;
  // A file that was rewritten in place has another text there.
  const before = Buffer.alloc(1);
  return readSync(file, before, 0, 1, from.offset - 1) === 1 && before[0] === NEWLINE;
}
