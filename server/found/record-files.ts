/** The directory with the status records of clients: what is in it, and which file changed. */
import { type FSWatcher, statSync, watch } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { basename, join } from 'node:path';

const RECORD = /^[1-9]\d{0,9}\.json$/;
/** Clients that were killed leave their record behind; more than this is no client's doing. */
const MAX_FILES = 20_000;

export class RecordFiles {
  readonly #directory: string;
  #watcher: FSWatcher | null = null;
  #watched: string | null = null;

  constructor(configDirectory: string) {
    this.#directory = join(configDirectory, 'sessions');
  }

  /** The paths of all records. Empty without a directory. */
  async list(): Promise<string[]> {
    const names = await readdir(this.#directory).catch(() => []);
    return names
      .filter((name) => RECORD.test(name))
      .slice(0, MAX_FILES)
      .map((name) => join(this.#directory, name));
  }

  /**
   * Calls `hint` with the path of a record soon after it changed, also in a new directory in place
   * of this one. True when the directory must be listed now: it is new, or cannot be watched.
   */
  watch(hint: (path: string) => void): boolean {
    const identity = this.#identity();
    if (identity === this.#watched && this.#watcher !== null) return false;
    this.dispose();
    if (identity === null) return false;
    try {
      const watcher = watch(this.#directory, { persistent: false }, (_, name) => {
        if (name !== null && RECORD.test(name)) hint(join(this.#directory, name));
      });
      watcher.on('error', () => this.dispose());
      this.#watcher = watcher;
      this.#watched = identity;
    } catch {
      // Out of watches: the scan finds every change.
    }
    return true;
  }

  dispose(): void {
    this.#watcher?.close();
    this.#watcher = null;
    this.#watched = null;
  }

  #identity(): string | null {
    try {
      const { dev, ino } = statSync(this.#directory);
      return `${dev}:${ino}`;
    } catch {
      return null;
    }
  }
}

/** The pid in the name of a record. */
export function pidOf(path: string): number {
  return Number.parseInt(basename(path), 10);
}
