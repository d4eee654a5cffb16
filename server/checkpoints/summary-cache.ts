/**
 * What was read of each session, so that a list of thousands opens only the changed ones. A file of
 * its own: without it a list is slower, nothing else.
 */
import { join } from 'node:path';
import { z } from 'zod';
import { CheckpointSummary } from '../../shared/schema/runs/checkpoint.ts';
import { writeFileAtomic } from '../lib/atomic-file.ts';
import { readHostileFile } from '../lib/hostile-file.ts';

const CACHE_FILE = '.summaries.json';
const CACHE_VERSION = 1;

/** About 100,000 sessions. */
const MAX_BYTES = 64 * 1024 * 1024;

/** Fewer changed sessions are cheaper to read again than the whole file is to write. */
const WORTH_WRITING = 32;

const SeenSession = z.union([
  z.object({ summary: CheckpointSummary }),
  z.object({ problem: z.enum(['corrupt', 'version']), message: z.string() }),
]);
export type SeenSession = z.infer<typeof SeenSession>;

const CachedSession = z.object({
  id: z.string(),
  /** Device, inode, times and size of the checkpoint as it was read. */
  mark: z.string(),
  seen: SeenSession,
});
type CachedSession = z.infer<typeof CachedSession>;

/** A list, not a record: checked in half the time. */
const Cache = z.object({ version: z.literal(CACHE_VERSION), sessions: z.array(CachedSession) });

export class SummaryCache {
  readonly #directory: string;
  readonly #known: Map<string, CachedSession>;
  readonly #current: CachedSession[] = [];
  #changed = 0;

  constructor(sessionsDirectory: string) {
    this.#directory = sessionsDirectory;
    this.#known = new Map(readCache(sessionsDirectory).map((each) => [each.id, each]));
  }

  /** What was read under this mark; null when it must be read now. */
  get(id: string, mark: string): SeenSession | null {
    const known = this.#known.get(id);
    if (known?.mark !== mark) return null;
    this.#current.push(known);
    return known.seen;
  }

  add(id: string, mark: string, seen: SeenSession): void {
    this.#current.push({ id, mark, seen });
    this.#changed += 1;
  }

  /** Keeps what was seen in this list for the next one. */
  keep(): void {
    const gone = Math.max(0, this.#known.size - this.#current.length);
    if (this.#changed + gone < WORTH_WRITING) return;
    try {
      const cache = { version: CACHE_VERSION, sessions: this.#current };
      writeFileAtomic(this.#directory, CACHE_FILE, JSON.stringify(cache));
    } catch {
      // A full or read-only disk: the next list reads the checkpoints again.
    }
  }
}

function readCache(directory: string): CachedSession[] {
  const file = readHostileFile(join(directory, CACHE_FILE), MAX_BYTES);
  if (file.kind !== 'text') return [];
  try {
    return Cache.parse(JSON.parse(file.text)).sessions;
  } catch {
    return [];
  }
}
