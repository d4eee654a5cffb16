/**
 * A file of lines that rotates at its limit: `daemon.log` becomes `daemon.log.1`, that `.2`, and so
 * on. Never throws and never tears a line: lines that cannot be written are counted, and a line
 * with the count follows once the file can be written again.
 */
import {
  closeSync,
  constants,
  fchmodSync,
  fstatSync,
  ftruncateSync,
  mkdirSync,
  openSync,
  readdirSync,
  readSync,
  renameSync,
  unlinkSync,
  writeSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { systemCode } from '../app-error.ts';

export interface RotatingFileOptions {
  path: string;
  /** A line that would make the file longer than this goes into a new one. */
  maxBytes: number;
  /** Rotated files that are kept, without the current one. */
  keep: number;
  /** The line, with its newline, that reports how many were lost. */
  lostLine: (lost: number) => string;
}

interface OpenFile {
  fd: number;
  size: number;
}

export class RotatingFile {
  readonly #options: RotatingFileOptions;
  #file: OpenFile | null = null;
  #rotateAbove: number;
  #lost = 0;
  #closed = false;

  constructor(options: RotatingFileOptions) {
    this.#options = options;
    this.#rotateAbove = options.maxBytes;
  }

  /** One line with its newline. */
  write(line: string): void {
    if (this.#closed) return;
    try {
      // Both or none: a notice alone would fit where its line does not, again and again.
      this.#append(this.#lost > 0 ? this.#options.lostLine(this.#lost) + line : line);
      this.#lost = 0;
    } catch {
      // A full disk, a removed directory: the daemon keeps running, and the log resumes when it
      // can.
      this.#lost += 1;
      this.#release();
    }
  }

  /** Nothing is written after this. */
  close(): void {
    this.#closed = true;
    this.#release();
  }

  #release(): void {
    const file = this.#file;
    this.#file = null;
    if (file !== null) closeSync(file.fd);
  }

  #append(line: string): void {
    const bytes = Buffer.from(line);
    let file = (this.#file ??= open(this.#options.path));
    if (file.size > 0 && file.size + bytes.length > this.#rotateAbove) file = this.#rotate(file);
    let written = 0;
    try {
      while (written < bytes.length) written += writeSync(file.fd, bytes, written);
    } catch (error) {
      // Remove the part that fitted, or the next line would be glued to it.
      if (written > 0) ftruncateSync(file.fd, file.size);
      throw error;
    }
    file.size += bytes.length;
  }

  /** The new file, or the old one when no new one can be created now. */
  #rotate(full: OpenFile): OpenFile {
    const { path, keep, maxBytes } = this.#options;
    try {
      removeBeyond(path, keep - 1);
      for (let number = keep - 1; number >= 1; number -= 1) {
        moveIfThere(`${path}.${number}`, `${path}.${number + 1}`);
      }
      moveIfThere(path, `${path}.1`);
      this.#file = open(path);
    } catch {
      // No line is lost for this: the file keeps growing and rotates later.
      this.#rotateAbove = full.size + maxBytes;
      return full;
    }
    closeSync(full.fd);
    this.#rotateAbove = maxBytes;
    return this.#file;
  }
}

/** Never blocks on a FIFO and follows no link. */
function open(path: string): OpenFile {
  const { O_RDWR, O_CREAT, O_APPEND, O_NOFOLLOW, O_NONBLOCK } = constants;
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  const fd = openSync(path, O_RDWR | O_CREAT | O_APPEND | O_NOFOLLOW | O_NONBLOCK, 0o600);
  try {
    const stat = fstatSync(fd);
    if (!stat.isFile()) throw new Error(`${path} is not a file`);
    if ((stat.mode & 0o777) !== 0o600) fchmodSync(fd, 0o600);
    return { fd, size: stat.size + endLine(fd, stat.size) };
  } catch (error) {
    closeSync(fd);
    throw error;
  }
}

/** A power cut may have torn the last line; this ends it. Returns the bytes added. */
function endLine(fd: number, size: number): number {
  const last = Buffer.alloc(1);
  if (size === 0 || readSync(fd, last, 0, 1, size - 1) === 0 || last[0] === 0x0a) return 0;
  return writeSync(fd, '\n');
}

function moveIfThere(from: string, to: string): void {
  try {
    renameSync(from, to);
  } catch (error) {
    if (systemCode(error) !== 'ENOENT') throw error;
  }
}

/** Removes the rotated files above number `last`: a lower setting takes effect at once. */
function removeBeyond(path: string, last: number): void {
  const directory = dirname(path);
  for (const name of readdirSync(directory)) {
    const number = new RegExp(`^\\.([1-9]\\d*)$`).exec(name.slice(basename(path).length))?.[1];
    if (!name.startsWith(basename(path)) || number === undefined) continue;
    if (Number(number) > last) unlinkSync(join(directory, name));
  }
}
