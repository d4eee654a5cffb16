/**
 * Hints of the system that something in a directory changed, through chokidar. Only directories are
 * watched, none of their files. A hint may be missing: only reading gives the truth.
 */
import { type FSWatcher, watch } from 'chokidar';
import type { Clock } from '../../lib/clock.ts';
import type { Log } from '../../lib/log.ts';

/** Far below what a system allows one user, who also needs some elsewhere. */
const MAX_WATCHED = 4_000;
/** Hints of one directory until the next scan; a busier one is polled. */
const MAX_HINTS = 1_000;
/** chokidar keeps a list of what it was asked not to watch any more, and searches it at each new watch. */
const MAX_DROPPED = 1_000;
/** Between two new watches: each costs memory that is freed only after a while. */
const PAUSE_MS = 2;

export interface WatchOptions {
  clock: Clock;
  logger: Pick<Log, 'warn'>;
  /** Called with a watched directory; often, and also for what does not matter. */
  onHint: (directory: string) => void;
  /** It changes too often to be watched until `calm`. */
  onStorm: (directory: string) => void;
}

export class ModuleWatch {
  readonly #options: WatchOptions;
  #watcher: FSWatcher;
  readonly #watched = new Set<string>();
  readonly #hints = new Map<string, number>();
  #wanted: readonly string[] = [];
  #dropped = 0;
  #isAdding = false;
  #isFull = false;
  #disposed = false;

  constructor(options: WatchOptions) {
    this.#options = options;
    this.#watcher = this.#open();
  }

  /** After everything was read: directories that were too busy may be watched again. */
  calm(): void {
    this.#hints.clear();
  }

  /** Watches these as far as the limit allows, the first before the others, and no more. */
  follow(directories: readonly string[]): void {
    if (this.#dropped > MAX_DROPPED) this.#renew();
    // A directory before those in it: chokidar would take them for unwatched with it.
    const calm = directories.filter((path) => (this.#hints.get(path) ?? 0) <= MAX_HINTS);
    this.#wanted = calm.slice(0, MAX_WATCHED).sort();
    const wanted = new Set(this.#wanted);
    for (const path of [...this.#watched]) if (!wanted.has(path)) this.drop(path);
    if (!this.#isAdding) void this.#add();
  }

  /** Whether its changes are reported; one that was just added may miss the first. */
  watches(path: string): boolean {
    return !this.#isFull && this.#watched.has(path);
  }

  /** Another directory may be there by now; `follow` watches it again. */
  drop(path: string): void {
    if (!this.#watched.delete(path)) return;
    this.#watcher.unwatch(path);
    this.#dropped += 1;
  }

  async dispose(): Promise<void> {
    this.#disposed = true;
    await this.#watcher.close();
  }

  #open(): FSWatcher {
    const watcher = watch([], {
      ignoreInitial: true,
      followSymlinks: false,
      ignorePermissionErrors: true,
      depth: 0,
      // Neither files nor other directories get a watch of their own.
      ignored: (path) => !this.#watched.has(path),
    });
    // What the system reports of a directory, before chokidar compares listings.
    watcher.on('raw', (_event, _name, details: unknown) => this.#hint(details));
    watcher.on('error', (err: unknown) => this.#failed(err));
    return watcher;
  }

  #renew(): void {
    void this.#watcher.close();
    this.#watched.clear();
    this.#dropped = 0;
    this.#watcher = this.#open();
  }

  async #add(): Promise<void> {
    this.#isAdding = true;
    const next = () => this.#wanted.find((path) => !this.#watched.has(path));
    for (let path = next(); path !== undefined && this.#isOpen; path = next()) {
      this.#watched.add(path);
      this.#watcher.add(path);
      await this.#options.clock.sleep(PAUSE_MS);
    }
    this.#isAdding = false;
  }

  get #isOpen(): boolean {
    return !this.#disposed && !this.#isFull;
  }

  #hint(details: unknown): void {
    const path = (details as { watchedPath?: unknown } | null)?.watchedPath;
    if (typeof path !== 'string' || !this.#watched.has(path)) return;
    const count = (this.#hints.get(path) ?? 0) + 1;
    this.#hints.set(path, count);
    if (count <= MAX_HINTS) return this.#options.onHint(path);
    this.#wanted = this.#wanted.filter((each) => each !== path);
    this.drop(path);
    this.#options.onStorm(path);
  }

  /** Out of watches, or a file system without them: scans find every change. */
  #failed(err: unknown): void {
    if (!this.#isFull) this.#options.logger.warn({ err }, 'cannot watch more task modules');
    this.#isFull = true;
  }
}
