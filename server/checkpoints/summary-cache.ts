/**
 * What was read of each session, so that a list of thousands opens only the changed ones. A file of
 * its own: without it a list is slower, nothing else.
 */
import { join } from 'node:path';
import { type CheckpointSummary, RunPhase } from '../../shared/schema/runs/checkpoint.ts';
import { writeFileAtomic } from '../lib/atomic-file.ts';
import { readHostileFile } from '../lib/hostile-file.ts';

const CACHE_FILE = '.summaries.json';
const CACHE_VERSION = 1;

/** About 100,000 sessions. */
const MAX_BYTES = 64 * 1024 * 1024;

/** Fewer changed sessions are cheaper to read again than the whole file is to write. */
const WORTH_WRITING = 32;

export type SeenSession =
  { summary: CheckpointSummary } | { problem: 'corrupt' | 'version'; message: string };

interface CachedSession {
  id: string;
  /** Device, inode, times and size of the checkpoint as it was read. */
  mark: string;
  seen: SeenSession;
}

/** Checked by hand: a schema takes longer for ten thousand than all the rest of a list. */
const KINDS: Record<keyof CheckpointSummary, readonly string[]> = {
  session_id: ['string'],
  checkpoint_time: ['string'],
  original_start_time: ['string'],
  phase: ['string'],
  iteration: ['number'],
  model: ['string'],
  working_dir: ['string'],
  prompt: ['string'],
  force_stopped: ['boolean'],
  force_stop_reason: ['string', 'null'],
  completed_at: ['string', 'null'],
  cost_usd: ['number'],
};
const FIELDS = Object.entries(KINDS);
const PHASES: readonly unknown[] = RunPhase.options;

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
    const { version, sessions } = JSON.parse(file.text) as Record<string, unknown>;
    const isOurs = version === CACHE_VERSION && Array.isArray(sessions);
    return isOurs && sessions.every(isCachedSession) ? sessions : [];
  } catch {
    return [];
  }
}

function isCachedSession(value: unknown): value is CachedSession {
  const { id, mark, seen } = recordOf(value);
  return typeof id === 'string' && typeof mark === 'string' && isSeen(recordOf(seen));
}

function isSeen({ summary, problem, message }: Record<string, unknown>): boolean {
  if (summary === undefined) {
    return (problem === 'corrupt' || problem === 'version') && typeof message === 'string';
  }
  const fields = recordOf(summary);
  const isKnown = ([name, kinds]: (typeof FIELDS)[number]) => kinds.includes(kindOf(fields[name]));
  return FIELDS.every(isKnown) && PHASES.includes(fields['phase']);
}

function recordOf(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
}

function kindOf(value: unknown): string {
  return value === null ? 'null' : typeof value;
}
