/** The lines of a log that rotates (`daemon.log`, `.1`, `.2`, …), each once and in order. */
import { readdirSync, statSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import { type FilePosition, readAppendedLines } from '../lib/files/appended-lines.ts';

interface LogPart {
  path: string;
  identity: string;
  /** 0 is the current file, higher numbers are older. */
  number: number;
}

export class LogLines {
  readonly #path: string;
  #place: FilePosition | null = null;

  /** `path` is that of the current file. */
  constructor(path: string) {
    this.#path = path;
  }

  /** The last `count` lines, or null when there is no log. `next` continues after them. */
  last(count: number): string[] | null {
    const parts = partsOf(this.#path);
    if (parts.length === 0) return null;
    let lines: string[] = [];
    for (const part of parts.toReversed()) {
      const { found, place } = readPart(part, null);
      if (part === parts.at(-1)) this.#place = place;
      lines = [...found, ...lines].slice(Math.max(0, found.length + lines.length - count));
      if (lines.length >= count) break;
    }
    return lines;
  }

  /** What was written since, also across rotations. */
  next(): string[] {
    const parts = partsOf(this.#path);
    const known = parts.findIndex(({ identity }) => identity === this.#place?.identity);
    const lines: string[] = [];
    for (const part of known === -1 ? parts : parts.slice(known)) {
      const from = part.identity === this.#place?.identity ? this.#place : null;
      const { found, place } = readPart(part, from);
      // It was renamed since the directory was read; the next call finds it under its new name.
      if (place === null) break;
      lines.push(...found);
      this.#place = place;
    }
    return lines;
  }
}

/** All that is complete after `from`; the place is null when another file has that name by now. */
function readPart(
  { path, identity }: LogPart,
  from: FilePosition | null,
): { found: string[]; place: FilePosition | null } {
  const found: string[] = [];
  let place = from;
  for (;;) {
    const read = readAppendedLines(path, place);
    if (read === null || read.place.identity !== identity) return { found, place: null };
    found.push(...read.lines);
    place = read.place;
    if (read.isEnd) return { found, place };
  }
}

/** Oldest first. */
function partsOf(path: string): LogPart[] {
  const parts = namesIn(dirname(path)).flatMap((name) => {
    const digits = /^(?:\.([1-9]\d*))?$/.exec(name.slice(basename(path).length));
    if (!name.startsWith(basename(path)) || digits === null) return [];
    return partOf(`${dirname(path)}/${name}`, Number(digits[1] ?? 0));
  });
  return parts.toSorted((one, other) => other.number - one.number);
}

function partOf(path: string, number: number): LogPart[] {
  const stat = statSync(path, { throwIfNoEntry: false });
  return stat?.isFile() === true ? [{ path, identity: `${stat.dev}:${stat.ino}`, number }] : [];
}

function namesIn(directory: string): string[] {
  try {
    return readdirSync(directory);
  } catch {
    return [];
  }
}
