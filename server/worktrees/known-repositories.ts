/**
 * The repositories with a remote on this machine: those of known projects, and what lies below the
 * roots. Another host finds its own copy of a project here, by the remote and not by the path.
 */
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { messageOf } from '../lib/app-error.ts';
import type { Clock, Timer } from '../lib/clock.ts';
import { directoryNames } from '../lib/files/directory-names.ts';
import type { Log } from '../lib/log.ts';
import { repositoryKey } from './git/repository-key.ts';
import type { RepositoryFacts } from './git/repository.ts';

const EVERY_MS = 60_000;
/** Levels below a root, such as `work/team/project`. */
const DEPTH = 3;
const MAX_DIRECTORIES = 2_000;
/** As many as a host says it has. */
const MAX_REPOSITORIES = 250;

export interface KnownRepositoriesOptions {
  clock: Clock;
  logger: Log;
  roots: readonly string[];
  /** Directories of projects, the newest first: they win over other copies. */
  projects: (limit: number) => string[];
  repositoryOf: (path: string) => Promise<RepositoryFacts | null>;
}

interface Read {
  /** Of the settings of the repository when its remote was read. */
  mark: string;
  key: string | null;
}

export class KnownRepositories {
  readonly #options: KnownRepositoriesOptions;
  /** By directory: git is asked again only when its settings changed. */
  #read = new Map<string, Read>();
  #paths = new Map<string, string>();
  #scan: Promise<void> | null = null;
  #timer: Timer | null = null;
  #changed: () => void = () => undefined;
  #isDisposed = false;

  constructor(options: KnownRepositoriesOptions) {
    this.#options = options;
  }

  /** Scans now and every minute; `changed` is called when others should hear of it. */
  watch(changed: () => void): void {
    this.#changed = changed;
    void this.#again();
  }

  keys(): string[] {
    return [...this.#paths.keys()];
  }

  /** The main worktree; null when there is none with that key. */
  async pathOf(key: string): Promise<string | null> {
    if (!this.#paths.has(key)) await this.scan();
    return this.#paths.get(key) ?? null;
  }

  /** Never rejects. Callers share one. */
  async scan(): Promise<void> {
    this.#scan ??= this.#scanAll()
      .catch((error: unknown) => {
        const { logger } = this.#options;
        logger.warn({ error: messageOf(error) }, 'cannot look for repositories below the roots');
      })
      .finally(() => (this.#scan = null));
    return this.#scan;
  }

  dispose(): void {
    this.#isDisposed = true;
    this.#timer?.cancel();
  }

  async #again(): Promise<void> {
    await this.scan();
    if (this.#isDisposed) return;
    this.#timer = this.#options.clock.after(EVERY_MS, () => void this.#again());
  }

  async #scanAll(): Promise<void> {
    const { projects, roots } = this.#options;
    const before = this.keys().join();
    const read = new Map<string, Read>();
    const paths = new Map<string, string>();
    for (const path of [...projects(MAX_REPOSITORIES), ...(await repositoriesBelow(roots))]) {
      if (this.#isDisposed || paths.size >= MAX_REPOSITORIES) break;
      if (read.has(path)) continue;
      const found = await this.#readOne(path);
      if (found === null) continue;
      read.set(path, found);
      if (found.key !== null && !paths.has(found.key)) paths.set(found.key, path);
    }
    this.#read = read;
    this.#paths = paths;
    if (!this.#isDisposed && this.keys().join() !== before) this.#changed();
  }

  async #readOne(path: string): Promise<Read | null> {
    const mark = await markOf(path);
    if (mark === null) return null;
    const known = this.#read.get(path);
    if (known?.mark === mark) return known;
    // One that git refuses is none that a task could work on.
    const facts = await this.#options.repositoryOf(path).catch(() => null);
    return { mark, key: facts?.root === path ? repositoryKey(facts.remote) : null };
  }
}

/** Main worktrees, the topmost first; nothing inside of one is read. */
async function repositoriesBelow(roots: readonly string[]): Promise<string[]> {
  const found: string[] = [];
  let level = [...roots];
  let read = 0;
  for (let depth = 0; depth <= DEPTH; depth += 1) {
    const next: string[] = [];
    for (const path of level) {
      if (read >= MAX_DIRECTORIES) return found;
      read += 1;
      if ((await markOf(path)) !== null) found.push(path);
      else if (depth < DEPTH) next.push(...(await directoriesIn(path)));
    }
    level = next;
  }
  return found;
}

async function directoriesIn(path: string): Promise<string[]> {
  const wants = (name: string) => !name.startsWith('.') && name !== 'node_modules';
  const listed = await directoryNames(path, { limit: 200, wants }).catch(() => ({ names: [] }));
  return listed.names.map((name) => join(path, name));
}

/** Of the settings of the repository whose main worktree is there; null when there is none. */
async function markOf(path: string): Promise<string | null> {
  const settings = await stat(join(path, '.git', 'config')).catch(() => null);
  return settings?.isFile() === true ? `${settings.mtimeMs} ${settings.size}` : null;
}
