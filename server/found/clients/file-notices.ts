/** Which files may have changed, by the system's notices about their directories. */
import { type FSWatcher, watch } from 'node:fs';
import { dirname, join } from 'node:path';

export class FileNotices {
  /** By directory; null: it cannot be watched. */
  readonly #watchers = new Map<string, FSWatcher | null>();
  /** Whether it changed, by file; a notice about another file is dropped. */
  readonly #files = new Map<string, boolean>();

  /** True at first, once after each notice about that file, and always without notices. */
  take(path: string): boolean {
    const directory = dirname(path);
    if (!this.#watchers.has(directory)) this.#watchers.set(directory, this.#watch(directory));
    const hasChanged = this.#files.get(path) ?? true;
    this.#files.set(path, false);
    return hasChanged || this.#watchers.get(directory) === null;
  }

  /** Follows no other files any more; a directory that could not be watched is tried again. */
  keep(paths: Iterable<string>): void {
    const kept = new Set(paths);
    const directories = new Set([...kept].map(dirname));
    for (const path of this.#files.keys()) if (!kept.has(path)) this.#files.delete(path);
    for (const [directory, watcher] of this.#watchers) {
      if (watcher !== null && directories.has(directory)) continue;
      watcher?.close();
      this.#watchers.delete(directory);
    }
  }

  dispose(): void {
    this.keep([]);
  }

  #watch(directory: string): FSWatcher | null {
    try {
      const watcher = watch(directory, { persistent: false }, (_, name) => {
        const path = join(directory, name ?? '');
        if (this.#files.has(path)) this.#files.set(path, true);
      });
      watcher.on('error', () => {
        watcher.close();
        this.#watchers.set(directory, null);
      });
      return watcher;
    } catch {
      // Out of watches.
      return null;
    }
  }
}
