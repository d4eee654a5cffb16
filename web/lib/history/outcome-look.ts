import type { Mark, Tone } from '$lib/ui/tone.ts';
import type { RunOutcome } from './run-filter.ts';

/** Each outcome by shape and colour, beside its word. */
export const OUTCOME_LOOK: Record<RunOutcome, { tone: Tone; mark: Mark }> = {
  running: { tone: 'work', mark: 'disc' },
  completed: { tone: 'good', mark: 'tick' },
  failed: { tone: 'fail', mark: 'cross' },
  other: { tone: 'idle', mark: 'square' },
};
