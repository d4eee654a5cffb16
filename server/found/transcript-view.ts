/** What the transcript of one conversation says: read from near its end, then what is appended. */
import type { FoundTranscript } from '../../shared/schema/agents/found.ts';
import { type ActivityFact, parseActivityLine } from '../agents/records/activity-line.ts';
import {
  foldTranscriptFact,
  NO_TRANSCRIPT_FACTS,
  type TranscriptFacts,
} from '../agents/records/transcript-facts.ts';
import type { TranscriptFiles } from '../agents/records/transcript-files.ts';
import { parseTranscriptLine } from '../agents/records/transcript-line.ts';
import { type FilePosition, placeBefore, readAppendedLines } from '../lib/files/appended-lines.ts';
import { toIso } from '../lib/clock.ts';
import { markOf } from '../lib/files/hostile-file.ts';

/** Read at once; of more that was appended only the end is read. */
const MAX_BYTES = 128 * 1024;
const MAX_DATE_MS = 8.64e15;

export class TranscriptView {
  readonly #files: TranscriptFiles;
  #conversation: string | null = null;
  #path: string | null = null;
  #mark: string | null = null;
  #place: FilePosition | null = null;
  #facts: TranscriptFacts | null = null;
  #activity: ActivityFact | null = null;
  #call: FoundTranscript['call'] = null;
  #todo: string | null = null;

  constructor(files: TranscriptFiles) {
    this.#files = files;
  }

  /** Null without a transcript. */
  get facts(): TranscriptFacts | null {
    return this.#facts;
  }

  /** Null without a transcript. */
  get view(): FoundTranscript | null {
    if (this.#facts === null) return null;
    return {
      model: this.#activity?.model ?? null,
      context_tokens: this.#activity?.contextTokens ?? null,
      call: this.#call,
      todo: this.#todo,
    };
  }

  /** Reads what is new; true when it grew since the last reading. Opens no file that did not change. */
  read(conversation: string | null, nowMs: number): boolean {
    if (conversation !== this.#conversation) this.#forget(conversation);
    if (conversation === null) return false;
    // The client creates the file with its first turn.
    this.#path ??= this.#files.find(conversation);
    const mark = this.#path === null ? null : markOf(this.#path);
    if (this.#path === null || mark === null || mark === this.#mark) return false;
    const isKnown = this.#mark !== null;
    this.#mark = mark;
    this.#facts ??= NO_TRANSCRIPT_FACTS;
    const end = placeBefore(this.#path, MAX_BYTES);
    const isNear = this.#place?.identity === end?.identity;
    const from = isNear && (this.#place?.offset ?? 0) >= (end?.offset ?? 0) ? this.#place : end;
    const read = readAppendedLines(this.#path, from, MAX_BYTES);
    this.#place = read?.place ?? null;
    for (const line of read?.lines ?? []) this.#take(line, nowMs);
    return isKnown;
  }

  #take(line: string, nowMs: number): void {
    const fact = parseTranscriptLine(line);
    if (fact !== null)
      this.#facts = foldTranscriptFact(this.#facts ?? NO_TRANSCRIPT_FACTS, fact, nowMs);
    const activity = parseActivityLine(line);
    if (activity === null) return;
    const { call, atMs } = activity;
    this.#activity = activity;
    if (call !== null) this.#call = { ...call, at: timeOf(atMs) };
    if (activity.todo !== undefined) this.#todo = activity.todo;
  }

  #forget(conversation: string | null): void {
    this.#conversation = conversation;
    this.#path = null;
    this.#mark = null;
    this.#place = null;
    this.#facts = null;
    this.#activity = null;
    this.#call = null;
    this.#todo = null;
  }
}

function timeOf(atMs: number | null): string | null {
  return atMs === null || Math.abs(atMs) > MAX_DATE_MS ? null : toIso(atMs);
}
