import { expect, it } from 'vitest';
import { Past } from '../../../server/agents/reading/set-back-evidence.ts';
import {
  NO_TRANSCRIPT_FACTS,
  type TranscriptFacts,
} from '../../../server/agents/records/transcript-facts.ts';

const NOW_MS = 1_000_000;
const SET_BACK_AT_MS = NOW_MS - 500;

const factsAt = (atMs: number): TranscriptFacts => ({
  ...NO_TRANSCRIPT_FACTS,
  turnEndAtMs: atMs,
  interruptedAtMs: atMs,
  error: { kind: 'api_error', cause: 'overloaded', status: 529, text: null, limit: null, atMs },
  called: { tool: 'AskUserQuestion', atMs },
});

it('FA14 what a transcript dates in the future was written before the clock was set back', () => {
  const past = new Past(NOW_MS, SET_BACK_AT_MS);
  expect(past.transcript(factsAt(NOW_MS + 3_600_000))).toEqual(factsAt(SET_BACK_AT_MS));
  expect(past.transcript(factsAt(NOW_MS))).toEqual(factsAt(NOW_MS));
  expect(past.transcript(NO_TRANSCRIPT_FACTS)).toEqual(NO_TRANSCRIPT_FACTS);
  expect(past.transcript(null)).toBeNull();
});

it('FA14 what was written after the clock was read keeps its time', () => {
  const facts = factsAt(NOW_MS + 1_000);
  expect(new Past(NOW_MS, SET_BACK_AT_MS).transcript(facts)).toEqual(facts);
});
