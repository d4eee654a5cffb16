/** The end of a client's transcript: how its last turns ended. Read again only when it has grown. */
import { readdirSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { markOf, readHostileFile } from '../../lib/hostile-file.ts';
import {
  foldTranscriptFact,
  NO_TRANSCRIPT_FACTS,
  type TranscriptFacts,
} from './transcript-facts.ts';
import { parseTranscriptLine } from './transcript-line.ts';

/** The last turn's end is among its last lines. */
const MAX_TAIL_BYTES = 128 * 1024;
const SESSION_ID = /^[A-Za-z0-9-]{1,64}$/;
/** The search stops after this many projects. */
const MAX_PROJECTS = 5_000;

export class TranscriptTail {
  readonly #projects: string;
  #sessionId: string | null = null;
  #path: string | null = null;
  #mark: string | null = null;
  #facts: TranscriptFacts | null = null;

  /** `environment` is that of the terminals. */
  constructor(environment: NodeJS.ProcessEnv) {
    const config = environment['CLAUDE_CONFIG_DIR'];
    this.#projects = join(config ?? join(environment['HOME'] ?? homedir(), '.claude'), 'projects');
  }

  /** For the id in a client's record; null without a transcript. */
  read(sessionId: string | null, nowMs: number): TranscriptFacts | null {
    if (sessionId === null || !SESSION_ID.test(sessionId)) return null;
    if (sessionId !== this.#sessionId) {
      this.#sessionId = sessionId;
      this.#path = null;
      this.#facts = null;
    }
    // The client creates the file with its first turn.
    this.#path ??= this.#find(sessionId);
    if (this.#path === null) return null;
    const mark = markOf(this.#path);
    if (mark === this.#mark && this.#facts !== null) return this.#facts;
    const file = readHostileFile(this.#path, MAX_TAIL_BYTES, 'last_lines');
    if (file.kind !== 'text') return null;
    this.#mark = mark;
    this.#facts = file.text
      .split('\n')
      .map(parseTranscriptLine)
      .filter((fact) => fact !== null)
      .reduce((facts, fact) => foldTranscriptFact(facts, fact, nowMs), NO_TRANSCRIPT_FACTS);
    return this.#facts;
  }

  #find(sessionId: string): string | null {
    try {
      const projects = readdirSync(this.#projects).slice(0, MAX_PROJECTS);
      const paths = projects.map((project) => join(this.#projects, project, `${sessionId}.jsonl`));
      return paths.find((path) => markOf(path) !== null) ?? null;
    } catch {
      return null;
    }
  }
}
