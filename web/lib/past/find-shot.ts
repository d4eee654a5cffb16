import type { EventRecord } from '$shared/events.ts';
import type { ScreenEntry } from '$shared/past-screen.ts';

const CRASHES: readonly string[] = ['auto.restart_scheduled', 'auto.failed'];

/**
 * Takes the kept pictures, oldest first, and an event; gives the picture that led to it: the newest
 * one before it, of a crash the last one of the agent that fell; the first one when all are later.
 * Null when there is none.
 */
export function findShot(
  shots: readonly ScreenEntry[],
  { seq, type }: Pick<EventRecord, 'seq' | 'type'>,
): ScreenEntry | null {
  const before = shots.findLast((shot) => shot.seq < seq) ?? shots[0] ?? null;
  if (!CRASHES.includes(type)) return before;
  const fallen = shots.findLast((shot) => shot.seq < seq && shot.moment === 'crash');
  return fallen ?? before;
}

/** Takes the pictures, oldest first, a place among them (their number is "now") and a direction; gives the place of the next moment, or of the end. */
export function nextMoment(shots: readonly ScreenEntry[], from: number, direction: 1 | -1): number {
  let place = from + direction;
  while (place > 0 && place < shots.length) {
    const moment = shots[place]?.moment ?? null;
    if (moment !== null && moment !== 'agent') return place;
    place += direction;
  }
  return Math.min(shots.length, Math.max(0, place));
}
