/** Which files may have changed, by the system's notices about their directories. */
import { type FSWatcher, watch } from 'node:fs';
import { dirname, join } from 'node:path';

export class FileNotices {
  /** By directory; null: it cannot be watched. */
  readonly #watchers = new Map<string, FSWatcher | null>();
  readonly #changed = new Set<string>();

  /** True once after a notice about that file, at first, and always without notices. */
  take(path: string): boolean {
    const directory = dirname(path);
    const watcher = this.#watchers.get(directory);
    if (watcher === undefined) this.#watchers.set(directory, this.#watch(directory));
    return this.#changed.delete(path) || (watcher ?? null) === null;
  }

  /** Follows no other files any more; a directory that could not be watched is tried again. */
  keep(paths: Iterable<string>): void {
    const kept = new Set(paths);
    const directories = new Set([...kept].map(dirname));
    for (const path of this.#changed) if (!kept.has(path)) this.#changed.delete(path);
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
        if (name !== null) this.#changed.add(join(directory, name));
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
