/** What the transcript of one agent reported so far: how its turns ended, its newest prompts, words and call. */
import type { TranscriptFact } from './transcript-line.ts';

export interface TranscriptFacts {
  turnEndAtMs: number | null;
  interruptedAtMs: number | null;
  error: (Extract<TranscriptFact, { kind: 'api_error' }> & { atMs: number }) | null;
  prompts: readonly WrittenPrompt[];
  /** The end of what the agent said last since the last prompt. */
  said: string | null;
  /** The tool that the agent called last. */
  called: { tool: string; atMs: number } | null;
}

export interface WrittenPrompt {
  atMs: number;
  text: string;
}

/** More than arrive while one input waits for its confirmation. */
const PROMPTS_KEPT = 20;

export const NO_TRANSCRIPT_FACTS: TranscriptFacts = {
  turnEndAtMs: null,
  interruptedAtMs: null,
  error: null,
  prompts: [],
  said: null,
  called: null,
};

/** `readAtMs` is for lines without a time of their own. */
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
    case 'prompt':
      return {
        ...facts,
        prompts: [...facts.prompts, { atMs, text: fact.text }].slice(-PROMPTS_KEPT),
        said: null,
      };
    case 'said':
      return { ...facts, said: fact.end };
    case 'called':
      return { ...facts, called: { tool: fact.tool, atMs } };
    case 'compact_boundary':
      return facts;
  }
}
