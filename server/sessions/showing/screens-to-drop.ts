/** Which kept pictures of a session make room: pure. */
import type { ScreenMoment } from '../../../shared/schema/past-screen.ts';

export interface KeptScreen {
  number: number;
  atMs: number;
  moment: ScreenMoment | null;
  bytes: number;
}

export interface ScreenBounds {
  /** Pictures of one session; 0 keeps none. */
  limit: number;
  /** Of one session, so that one that draws noise drives out no other's. */
  maxBytes: number;
  /** How long pictures of moments are kept: as long as the events they belong to. */
  momentsMs: number;
}

/** How long an ordinary picture is kept. */
const ORDINARY_MS = 24 * 60 * 60_000;
/** Older ones are thinned: what happened an hour ago is not looked at second by second. */
const DENSE_MS = 10 * 60_000;
const THINNED_MS = 60_000;

/**
 * Takes the pictures of one session, oldest first, and the wall time; gives the numbers of those to
 * remove. What is too old goes; ordinary ones older than 10 min stay one a minute; beyond a bound
 * the oldest ordinary ones go first, then the oldest moments. The newest picture of an open session
 * stays: it is what its terminal shows.
 */
export function screensToDrop(
  kept: readonly KeptScreen[],
  nowMs: number,
  { limit, maxBytes, momentsMs }: ScreenBounds,
  isOpen: boolean,
): number[] {
  if (limit === 0) return kept.map(({ number }) => number);
  const newest = kept.at(-1);
  const dropped = new Set<number>();
  let lastKeptMs = -Infinity;
  for (const screen of kept) {
    const { number, atMs, moment } = screen;
    if (isOpen && screen === newest) continue;
    const ageMs = nowMs - atMs;
    // How it ended is told as long as its end.
    const isOrdinary = moment === null && screen !== newest;
    const isOld = ageMs > (isOrdinary ? ORDINARY_MS : momentsMs);
    // A clock that was set back makes no picture too close to the one before it.
    const isClose = atMs >= lastKeptMs && atMs - lastKeptMs < THINNED_MS;
    if (isOld || (isOrdinary && ageMs > DENSE_MS && isClose)) dropped.add(number);
    else lastKeptMs = atMs;
  }
  const staying = kept.filter(({ number }) => !dropped.has(number));
  let count = staying.length;
  let bytes = staying.reduce((sum, screen) => sum + screen.bytes, 0);
  const others = staying.filter((screen) => screen !== newest);
  const inOrder = [
    ...others.filter(({ moment }) => moment === null),
    ...others.filter(({ moment }) => moment !== null),
  ];
  for (const screen of inOrder) {
    if (count <= limit && bytes <= maxBytes) break;
    dropped.add(screen.number);
    count -= 1;
    bytes -= screen.bytes;
  }
  return [...dropped];
}
