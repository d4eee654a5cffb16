/** Whether any file of a module was touched, from what the system says about each; none is opened. */
import { createHash } from 'node:crypto';
import { lstatSync, opendirSync, type BigIntStats } from 'node:fs';
import { join } from 'node:path';
import { SIGNAL_FILE, STOP_FILE } from '../../../shared/schema/loops/auto-signal.ts';
import { INDEX_FILES, TARGET_FILE } from '../task-module.ts';

const FILES = [
  ...INDEX_FILES,
  TARGET_FILE,
  '.plan.md',
  '.summary.md',
  '.report.md',
  SIGNAL_FILE,
  STOP_FILE,
  '.lock',
] as const;
const FOLDERS = ['.test', '.analysis'] as const;
/** Of a folder; more are seen by the time of the folder itself. */
const MAX_ENTRIES = 64;
const MARK_LENGTH = 16;

export interface FileMarks {
  /** Device and inode of the directory. */
  identity: string;
  /** Equal marks: nothing was touched. */
  mark: string;
  /** Of the newest change, in milliseconds since 1970. */
  changedMs: number;
  hasTarget: boolean;
  hasIndex: boolean;
}

/** Throws the system's error when the directory may not be searched. */
export function fileMarks(directory: string): FileMarks {
  const { dev, ino } = lstatSync(directory, { bigint: true });
  const hash = createHash('sha256');
  let changedMs = 0;
  const add = (name: string): BigIntStats | undefined => {
    // Not `join`: every poll does this for every file of a module, and it made most of the garbage.
    const path = `${directory}/${name}`;
    const stat = lstatSync(path, { bigint: true, throwIfNoEntry: false });
    if (stat === undefined) return undefined;
    const { mtimeNs, ctimeNs, size, mode } = stat;
    hash.update(`${name}\0${stat.dev}:${stat.ino}:${mtimeNs}:${ctimeNs}:${size}:${mode}\0`);
    if (name !== '.lock') changedMs = Math.max(changedMs, Number(mtimeNs / 1_000_000n));
    return stat;
  };
  const files = FILES.filter((name) => add(name)?.isFile() === true);
  for (const folder of FOLDERS) {
    if (add(folder)?.isDirectory() !== true) continue;
    for (const name of firstNames(join(directory, folder))) add(join(folder, name));
  }
  return {
    identity: `${dev}:${ino}`,
    mark: hash.digest('base64url').slice(0, MARK_LENGTH),
    changedMs,
    hasTarget: files.includes(TARGET_FILE),
    hasIndex: INDEX_FILES.some((name) => files.includes(name)),
  };
}

/** In the order of the directory, which stays the same while nothing is added; none if unreadable. */
function firstNames(folder: string): string[] {
  const names: string[] = [];
  try {
    const directory = opendirSync(folder, { bufferSize: MAX_ENTRIES });
    try {
      while (names.length < MAX_ENTRIES) {
        const entry = directory.readSync();
        if (entry === null) break;
        names.push(entry.name);
      }
    } finally {
      directory.closeSync();
    }
  } catch {
    return names;
  }
  return names;
}
