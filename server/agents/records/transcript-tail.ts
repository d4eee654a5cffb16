/** The end of a client's transcript: how its last turns ended. Read again only when it has grown. */
import { markOf, readHostileFile } from '../../lib/files/hostile-file.ts';
import {
  foldTranscriptFact,
  NO_TRANSCRIPT_FACTS,
  type TranscriptFacts,
} from './transcript-facts.ts';
import { TranscriptFiles } from './transcript-files.ts';
import { parseTranscriptLine } from './transcript-line.ts';

/** The last turn's end is among its last lines. */
const MAX_TAIL_BYTES = 128 * 1024;

export class TranscriptTail {
  readonly #files: TranscriptFiles;
  #sessionId: string | null = null;
  #path: string | null = null;
  #mark: string | null = null;
  #facts: TranscriptFacts | null = null;

  /** `environment` is that of the terminals. */
  constructor(environment: NodeJS.ProcessEnv) {
    this.#files = new TranscriptFiles(environment);
  }

  /** For the id in a client's record; null without a transcript. */
  read(sessionId: string | null, nowMs: number): TranscriptFacts | null {
    if (sessionId === null) return null;
    if (sessionId !== this.#sessionId) {
      this.#sessionId = sessionId;
      this.#path = null;
      this.#facts = null;
    }
    // The client creates the file with its first turn.
    this.#path ??= this.#files.find(sessionId);
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
}
