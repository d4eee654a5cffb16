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

  /** Whether the system reports changes; a scan is needed anyway, but less often. */
  get isWatched(): boolean {
    return this.#watcher !== null;
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
   * Calls `hint` with the path of a record soon after it changed. Does nothing while the directory
   * is watched; watches a new one in its place.
   */
  watch(hint: (path: string) => void): void {
    const identity = this.#identity();
    if (identity === this.#watched && this.#watcher !== null) return;
    this.dispose();
    if (identity === null) return;
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
