/**
 * Where below the roots modules may be: a walk, broadest first, that follows no link and enters
 * nothing hidden, no `node_modules` and no linked worktree. A directory that did not change since the
 * last walk is not read again.
 */
import type { Dirent } from 'node:fs';
import { opendir } from 'node:fs/promises';
import { join } from 'node:path';
import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import type { PathReach } from '../../lib/files/path-reach.ts';
import { realDirectory } from '../../lib/files/real-directory.ts';
import { INDEX_FILES, TARGET_FILE } from '../task-module.ts';

/** In one walk; a home has some ten thousand directories that are not hidden. */
const MAX_DIRECTORIES = 50_000;
const MAX_DEPTH = 32;
/** Entries read per system call. */
const BUFFER = 256;
/** Directories per turn of the event loop, a quarter of a millisecond. */
const READ_AT_ONCE = 16;
/** A file system may give two changes within this time the same time. */
const SAME_TIME_MS = 2_000;

interface Branch {
  mark: string;
  /** The listing is of a time at which no later change could have the same mark. */
  isSettled: boolean;
  children: string[];
  hasModule: boolean;
  entries: number;
}

export interface Walk {
  /** Directories with a file of a module. */
  candidates: string[];
  /** There is more below the roots than one walk reads. */
  cut: boolean;
}

export interface TreeOptions {
  roots: readonly string[];
  /** Real path of the daemon's home, which is never entered. */
  home: string | null;
  /** Called for a directory with a file `.git`. */
  isWorktree: (directory: string) => boolean;
  reach: PathReach;
  now: () => number;
}

export function isExcludedName(name: string): boolean {
  return name.startsWith('.') || name === 'node_modules';
}

export class ModuleTree {
  readonly #options: TreeOptions;
  #branches = new Map<string, Branch>();

  constructor(options: TreeOptions) {
    this.#options = options;
  }

  /** Never rejects: a directory that cannot be read is left out. */
  async walk(isDisposed: () => boolean): Promise<Walk> {
    const found: Walk = { candidates: [], cut: false };
    const roots = this.#options.roots.flatMap((root) => realDirectory(root)?.path ?? []);
    const seen = new Map<string, Branch>();
    let level = [...new Set(roots)];
    for (let depth = 0; level.length > 0 && !isDisposed(); depth += 1) {
      if (depth === MAX_DEPTH) found.cut = true;
      if (found.cut) break;
      const below: string[] = [];
      for (const path of level) {
        if (seen.has(path)) continue;
        if (seen.size >= MAX_DIRECTORIES || isDisposed()) {
          found.cut = true;
          break;
        }
        if (seen.size % READ_AT_ONCE === 0) await yieldToEventLoop();
        const branch = await this.#read(path);
        if (branch === null) continue;
        seen.set(path, branch);
        if (branch.hasModule) found.candidates.push(path);
        for (const name of branch.children) below.push(join(path, name));
      }
      level = below;
    }
    this.#branches = seen;
    return found;
  }

  /** Children of one directory with a file of a module. */
  async childrenOf(directory: string): Promise<string[]> {
    const branch = await this.#read(directory);
    const paths = (branch?.children ?? []).map((name) => join(directory, name));
    const found: string[] = [];
    for (const [index, path] of paths.entries()) {
      if (index % READ_AT_ONCE === 0) await yieldToEventLoop();
      if ((await this.#read(path))?.hasModule === true) found.push(path);
    }
    return found;
  }

  /** Directories of the last walk. */
  get size(): number {
    return this.#branches.size;
  }

  /** As of the last walk; 0 for a directory it did not see. */
  entriesOf(directory: string): number {
    return this.#branches.get(directory)?.entries ?? 0;
  }

  async #read(path: string): Promise<Branch | null> {
    try {
      const stat = await this.#options.reach.stat(path);
      if (stat?.isDirectory() !== true || path === this.#options.home) return null;
      const mark = `${stat.dev}:${stat.ino}:${stat.mtimeNs}:${stat.ctimeNs}`;
      const known = this.#branches.get(path);
      if (known?.isSettled === true && known.mark === mark) return known;
      const isSettled = this.#options.now() - Number(stat.ctimeNs / 1_000_000n) > SAME_TIME_MS;
      const read = await this.#list(path);
      return read === null ? null : { ...read, mark, isSettled };
    } catch {
      return null;
    }
  }

  async #list(path: string): Promise<Omit<Branch, 'mark' | 'isSettled'> | null> {
    const children: string[] = [];
    let hasModule = false;
    let entries = 0;
    for await (const entry of await opendir(path, { bufferSize: BUFFER })) {
      entries += 1;
      if (MARKERS.includes(entry.name)) hasModule = true;
      if (entry.name === '.git' && !entry.isDirectory() && this.#options.isWorktree(path)) {
        return null;
      }
      if (mayBeEntered(entry) && children.length < MAX_DIRECTORIES) children.push(entry.name);
    }
    return { children, hasModule, entries };
  }
}

const MARKERS: readonly string[] = [...INDEX_FILES, TARGET_FILE];

/** Some file systems do not report what an entry is; the walk finds out. */
function mayBeEntered(entry: Dirent): boolean {
  if (isExcludedName(entry.name)) return false;
  return entry.isDirectory() || !(entry.isFile() || entry.isSymbolicLink() || entry.isFIFO());
}
