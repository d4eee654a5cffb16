/** What the transcript of one agent has told so far about the ends of its turns. */
import type { TranscriptFact } from './transcript-line.ts';

export interface TranscriptFacts {
  turnEndAtMs: number | null;
  interruptedAtMs: number | null;
  error: (Extract<TranscriptFact, { kind: 'api_error' }> & { atMs: number }) | null;
}

export const NO_TRANSCRIPT_FACTS: TranscriptFacts = {
  turnEndAtMs: null,
  interruptedAtMs: null,
  error: null,
};

/** Takes the facts so far, a fact and when it was read (for lines without a time of their own). */
export function foldTranscriptFact(
  facts: TranscriptFacts,
  fact: TranscriptFact,
  readAtMs: number,
): TranscriptFacts {
  const atMs = fact.atMs ?? readAtMs;
  switch (fact.kind) {
    case 'turn_end':
      return { ...facts, turnEndAtMs: atMs };
    case 'interrupted':
      return { ...facts, interruptedAtMs: atMs };
    case 'api_error':
      return { ...facts, error: { ...fact, atMs } };
    case 'compact_boundary':
      return facts;
  }
}
