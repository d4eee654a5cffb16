/** The names in a directory, streamed: a huge one costs time, but no memory and no long tick. */
import type { Dirent } from 'node:fs';
import { opendir } from 'node:fs/promises';

/** Entries read per system call. */
const BUFFER = 512;

export interface NameQuery {
  limit: number;
  wants: (name: string) => boolean;
}

/**
 * The first names, in order, of what is or may lead to a directory. Rejects with the system's error
 * when it cannot be read.
 */
export async function directoryNames(
  path: string,
  { limit, wants }: NameQuery,
): Promise<{ names: string[]; cut: boolean }> {
  let names: string[] = [];
  let cut = false;
  /** A name after it can no longer be among the first. */
  let last: string | null = null;
  for await (const entry of await opendir(path, { bufferSize: BUFFER })) {
    if (!mayBeDirectory(entry) || !wants(entry.name)) continue;
    if (last !== null && inOrder(entry.name, last) > 0) continue;
    names.push(entry.name);
    if (names.length < 2 * limit) continue;
    names = firstOf(names, limit);
    last = names.at(-1) ?? null;
    cut = true;
  }
  return { names: firstOf(names, limit), cut: cut || names.length > limit };
}

/** As people expect it: numbers by value, ignoring case; ties by characters. */
const ORDER = new Intl.Collator('en', { numeric: true, sensitivity: 'base' });

function firstOf(names: string[], limit: number): string[] {
  return names.sort(inOrder).slice(0, limit);
}

function inOrder(a: string, b: string): number {
  return ORDER.compare(a, b) || (a < b ? -1 : 1);
}

/** Some file systems do not report what an entry is; that is found out later. */
function mayBeDirectory(entry: Dirent): boolean {
  const isOther =
    entry.isFile() ||
    entry.isFIFO() ||
    entry.isSocket() ||
    entry.isBlockDevice() ||
    entry.isCharacterDevice();
  return !isOther;
}
