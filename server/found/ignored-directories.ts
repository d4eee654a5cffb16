/**
 * Directories whose sessions are none of Loopwatch's business: those of the settings, and those that
 * people have chosen. The latter are kept in a file of the home, not in the database: an older backup
 * must not show again what someone chose to hide.
 */
import { join, resolve } from 'node:path';
import { z } from 'zod';
import type {
  IgnoredDirectories as View,
  SetIgnored,
} from '../../shared/schema/modules/ignored-directory.ts';
import type { EventLog } from '../events/event-log.ts';
import { AppError } from '../lib/app-error.ts';
import { writeFileAtomic } from '../lib/files/atomic-file.ts';
import { type Clock, toIso } from '../lib/clock.ts';
import { readHostileFile } from '../lib/files/hostile-file.ts';
import { realDirectory } from '../lib/files/real-directory.ts';
import { asStorageError } from '../lib/files/storage-error.ts';

const FILE = 'ignored-directories.json';
const MAX_BYTES = 1024 * 1024;
const MAX_ENTRIES = 500;

const Entry = z.object({ directory: z.string(), by: z.string(), at: z.iso.datetime() });
type Entry = z.infer<typeof Entry>;

interface IgnoredOptions {
  home: string;
  /** Of the settings. */
  configured: readonly string[];
  log: EventLog;
  clock: Clock;
}

export class IgnoredDirectories {
  readonly #options: IgnoredOptions;
  readonly #listeners = new Set<() => void>();
  #entries: readonly Entry[];
  #isBelow: (path: string) => boolean;

  constructor(options: IgnoredOptions) {
    this.#options = options;
    this.#entries = readEntries(options);
    this.#isBelow = this.#matcher();
  }

  /** Whether sessions that work in this directory are left alone. */
  readonly isIgnored = (cwd: string): boolean => this.#isBelow(cwd);

  view(): View {
    const configured = this.#options.configured.map((directory) => ({
      directory,
      by: null,
      at: null,
    }));
    return { directories: [...configured, ...this.#entries] };
  }

  /** Takes effect before it returns. A second call changes nothing. Throws storage errors. */
  set({ directory: given, ignored }: SetIgnored, author: string): void {
    const directory = resolve(given);
    if (this.#entries.some((entry) => entry.directory === directory) === ignored) return;
    const others = this.#entries.filter((entry) => entry.directory !== directory);
    const added = { directory, by: author, at: toIso(this.#options.clock.now()) };
    if (ignored && others.length >= MAX_ENTRIES)
      throw new AppError('invalid_body', `at most ${MAX_ENTRIES} directories can be ignored`);
    const { home, log } = this.#options;
    const entries = ignored ? [...others, added] : others;
    try {
      writeFileAtomic(home, FILE, `${JSON.stringify(entries, null, 2)}\n`);
    } catch (error) {
      throw asStorageError(error);
    }
    this.#entries = entries;
    this.#isBelow = this.#matcher();
    for (const changed of this.#listeners) changed();
    const data = { directory, ignored, author };
    log.write((append) => append({ type: 'found.ignore_set', data }));
  }

  /** Called after each change. */
  onChange(listener: () => void): void {
    this.#listeners.add(listener);
  }

  #matcher(): (path: string) => boolean {
    const chosen = this.#entries.map(({ directory }) => directory);
    return belowAny([...this.#options.configured, ...chosen]);
  }
}

/** A file that cannot be read hides everything until a person decides again. */
function readEntries({ home, clock }: IgnoredOptions): readonly Entry[] {
  const file = readHostileFile(join(home, FILE), MAX_BYTES);
  if (file.kind === 'absent') return [];
  try {
    return z.array(Entry).parse(JSON.parse(file.kind === 'text' ? file.text : ''));
  } catch {
    return [{ directory: '/', by: `${FILE}, which cannot be read`, at: toIso(clock.now()) }];
  }
}

/**
 * Returns whether a directory is one of those or below one, segment by segment: as they are named,
 * and where their links lead now.
 */
function belowAny(directories: readonly string[]): (path: string) => boolean {
  const all = directories.flatMap((each) => [each, realDirectory(each)?.path ?? each]);
  const beginnings = all.map((each) => (each.endsWith('/') ? each : `${each}/`));
  return (path) => beginnings.some((beginning) => `${path}/`.startsWith(beginning));
}
