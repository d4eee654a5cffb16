/**
 * What was read of each session, so that a list of thousands opens only the changed ones. A file of
 * its own: without it a list is slower, nothing else.
 */
import type { Stats } from 'node:fs';
import { join } from 'node:path';
import { type CheckpointSummary, RunPhase } from '../../shared/schema/runs/checkpoint.ts';
import { writeFileAtomic } from '../lib/files/atomic-file.ts';
import { readHostileFile } from '../lib/files/hostile-file.ts';
import { sessionsDirectory } from './session-directory.ts';

const CACHE_FILE = '.summaries.json';
const CACHE_VERSION = 2;

/** About 100,000 sessions. */
const MAX_BYTES = 64 * 1024 * 1024;

/** Fewer changed sessions are cheaper to read again than the whole file is to write. */
const WORTH_WRITING = 32;

export type SeenSession =
  { summary: CheckpointSummary } | { problem: 'corrupt' | 'version'; message: string };

/**
 * Its id, device, inode, times and size of the checkpoint as it was read, then the fields of the
 * summary, or what is wrong and the message. A row is read in half the time of an object.
 */
type Row = unknown[];
const FIRST_FIELD = 6;

/** A row, and what it says once it was taken apart. */
interface Entry {
  row: Row;
  seen: SeenSession | null;
}

/** Checked by hand: a schema takes longer for ten thousand than all the rest of a list. */
const KIND_OF: Record<keyof CheckpointSummary, readonly string[]> = {
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
const NAMES = Object.keys(KIND_OF) as (keyof CheckpointSummary)[];
const KINDS = Object.values(KIND_OF);
const PHASES: readonly unknown[] = RunPhase.options;

export class SummaryCache {
  readonly #directory: string;
  #known: ReadonlyMap<unknown, Entry> | null = null;
  #current: Entry[] = [];
  /** Sessions that the file does not know as they are. */
  #changed = 0;

  constructor(home: string) {
    this.#directory = sessionsDirectory(home);
  }

  /** A list begins: what the one before saw is known now. */
  begin(): void {
    const entries = this.#known === null ? readCache(this.#directory) : this.#current;
    this.#known = new Map(entries.map((entry) => [entry.row[0], entry]));
    this.#current = [];
  }

  /** False for what must be read in any case. */
  has(id: string): boolean {
    return this.#known?.has(id) === true;
  }

  /** What was read of a checkpoint that has not been touched since; null when it must be read now. */
  get(id: string, stat: Stats): SeenSession | null {
    const entry = this.#known?.get(id);
    if (entry === undefined || !isUntouched(entry.row, stat)) return null;
    entry.seen ??= seenOf(entry.row);
    if (entry.seen !== null) this.#current.push(entry);
    return entry.seen;
  }

  add(id: string, { dev, ino, mtimeMs, ctimeMs, size }: Stats, seen: SeenSession): void {
    const fields =
      'summary' in seen ? NAMES.map((name) => seen.summary[name]) : [seen.problem, seen.message];
    this.#current.push({ row: [id, dev, ino, mtimeMs, ctimeMs, size, ...fields], seen });
    this.#changed += 1;
  }

  /** Keeps what was seen in this list for the next one. */
  keep(): void {
    this.#changed += Math.max(0, (this.#known?.size ?? 0) - this.#current.length);
    if (this.#changed < WORTH_WRITING) return;
    try {
      const cache = { version: CACHE_VERSION, sessions: this.#current.map(({ row }) => row) };
      writeFileAtomic(this.#directory, CACHE_FILE, JSON.stringify(cache));
      this.#changed = 0;
    } catch {
      // A full or read-only disk: the next list reads the checkpoints again.
    }
  }
}

function readCache(directory: string): Entry[] {
  const file = readHostileFile(join(directory, CACHE_FILE), MAX_BYTES);
  if (file.kind !== 'text') return [];
  try {
    const { version, sessions } = JSON.parse(file.text) as Record<string, unknown>;
    const isOurs = version === CACHE_VERSION && Array.isArray(sessions);
    return isOurs ? sessions.filter(Array.isArray).map((row: Row) => ({ row, seen: null })) : [];
  } catch {
    return [];
  }
}

/** By index: ten thousand rows are taken apart several times faster than with patterns. */
function isUntouched(row: Row, { dev, ino, mtimeMs, ctimeMs, size }: Stats): boolean {
  return (
    row[1] === dev && row[2] === ino && row[3] === mtimeMs && row[4] === ctimeMs && row[5] === size
  );
}

/** Null for a damaged row. */
function seenOf(row: Row): SeenSession | null {
  if (row.length === FIRST_FIELD + 2) {
    const problem = row[FIRST_FIELD];
    const message = row[FIRST_FIELD + 1];
    const isKnown = problem === 'corrupt' || problem === 'version';
    return isKnown && typeof message === 'string' ? { problem, message } : null;
  }
  for (let index = 0; index < KINDS.length; index += 1) {
    const value = row[FIRST_FIELD + index];
    if (KINDS[index]?.includes(value === null ? 'null' : typeof value) !== true) return null;
  }
  const summary = summaryOf(row);
  return PHASES.includes(summary.phase) ? { summary } : null;
}

/** One literal: objects of one shape are made, read and sorted faster than those built by name. */
function summaryOf(row: Row): CheckpointSummary {
  const fields: Record<keyof CheckpointSummary, unknown> = {
    session_id: row[6],
    checkpoint_time: row[7],
    original_start_time: row[8],
    phase: row[9],
    iteration: row[10],
    model: row[11],
    working_dir: row[12],
    prompt: row[13],
    force_stopped: row[14],
    force_stop_reason: row[15],
    completed_at: row[16],
    cost_usd: row[17],
  };
  return fields as CheckpointSummary;
}
