/** Adjusts evidence after the wall clock was set back: earlier times now lie in the future. */
import type { Assessment, Evidence } from './evidence.ts';
import type { HookFacts } from '../hooks/hook-facts.ts';
import type { RecordReading } from '../records/status-record.ts';
import type { TranscriptFacts } from '../records/transcript-facts.ts';

/** Moves the times that the daemon itself recorded. */
export function setBackEvidence(evidence: Evidence, byMs: number): Evidence {
  const { screen, hooks } = evidence;
  return {
    ...evidence,
    screen: screen === null ? null : { ...screen, takenAtMs: screen.takenAtMs - byMs },
    hooks: hooks === null ? null : setBackHooks(hooks, byMs),
  };
}

export function setBackHooks(facts: HookFacts, byMs: number): HookFacts {
  return {
    ...facts,
    promptAtMs: earlier(facts.promptAtMs, byMs),
    stop: moved(facts.stop, byMs),
    failure: moved(facts.failure, byMs),
    asked: moved(facts.asked, byMs),
    compactingSinceMs: earlier(facts.compactingSinceMs, byMs),
    end: moved(facts.end, byMs),
  };
}

/** The time of a reset is a wall time and stays. */
export function setBackAssessment(assessment: Assessment | null, byMs: number): Assessment | null {
  if (assessment === null) return null;
  return {
    ...assessment,
    sinceMs: assessment.sinceMs - byMs,
    conflictSinceMs: earlier(assessment.conflictSinceMs, byMs),
    doubtSinceMs: earlier(assessment.doubtSinceMs, byMs),
  };
}

/** A file may be written between the reading of the clock and its own. */
const PRESENT_MS = 1_000;

/**
 * The client's own files keep the times they were written with. One in the future was written
 * before the clock was set back, and gets the time at which that was noticed.
 */
export class Past {
  readonly #nowMs: number;
  readonly #setBackAtMs: number;

  constructor(nowMs: number, setBackAtMs: number) {
    this.#nowMs = nowMs;
    this.#setBackAtMs = setBackAtMs;
  }

  record(record: RecordReading | null): RecordReading | null {
    return record === null ? null : { ...record, changedAtMs: this.#past(record.changedAtMs) };
  }

  transcript(facts: TranscriptFacts | null): TranscriptFacts | null {
    if (facts === null) return null;
    const { turnEndAtMs, interruptedAtMs, error, called } = facts;
    return {
      ...facts,
      turnEndAtMs: turnEndAtMs === null ? null : this.#past(turnEndAtMs),
      interruptedAtMs: interruptedAtMs === null ? null : this.#past(interruptedAtMs),
      error: error === null ? null : { ...error, atMs: this.#past(error.atMs) },
      called: called === null ? null : { ...called, atMs: this.#past(called.atMs) },
    };
  }

  #past(atMs: number): number {
    return atMs > this.#nowMs + PRESENT_MS ? this.#setBackAtMs : atMs;
  }
}

function earlier(atMs: number | null, byMs: number): number | null {
  return atMs === null ? null : atMs - byMs;
}

function moved<Fact extends { atMs: number }>(fact: Fact | null, byMs: number): Fact | null {
  return fact === null ? null : { ...fact, atMs: fact.atMs - byMs };
}
