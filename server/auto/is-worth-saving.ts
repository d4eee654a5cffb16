import type { LoopState } from './machine/loop-state.ts';

/**
 * Takes a loop's state before and after, the clock it was last saved with, and how far that may fall
 * behind (milliseconds): the clock alone is kept now and then, everything else at once.
 */
export function isWorthSaving(
  before: LoopState,
  after: LoopState,
  savedAgeMs: number,
  everyMs: number,
): boolean {
  if (after.ageMs - savedAgeMs >= everyMs) return true;
  return JSON.stringify(lasting(before)) !== JSON.stringify(lasting(after));
}

/** A state without what changes by itself. */
function lasting({ ageMs, idleSinceMs, picture, recovering, ...state }: LoopState) {
  return state;
}
