/** Which kept snapshots of a session to remove: pure. */
import type { ScreenMoment } from '../../../shared/schema/past-screen.ts';

export interface KeptScreen {
  number: number;
  atMs: number;
  moment: ScreenMoment | null;
  bytes: number;
}

export interface ScreenBounds {
  /** Snapshots per session; 0 keeps none. */
  limit: number;
  /** Per session, so that one full of noise displaces no other's. */
  maxBytes: number;
  /** How long snapshots of moments are kept: as long as their events. */
  momentsMs: number;
}

/** How long an ordinary snapshot is kept. */
const ORDINARY_MS = 24 * 60 * 60_000;
/** Older ones are thinned: the past is not reviewed second by second after this time. */
const DENSE_MS = 10 * 60_000;
const THINNED_MS = 60_000;

/**
 * `kept` is of one session, oldest first; returns the numbers of those to remove. Too old ones are
 * removed; ordinary ones older than 10 min are thinned to one a minute; beyond a bound the oldest
 * ordinary ones are removed first, then the oldest moments. The newest snapshot of an open session
 * stays: it is the current screen.
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
    // How a session ended is kept as long as the event of its end.
    const isOrdinary = moment === null && screen !== newest;
    const isOld = ageMs > (isOrdinary ? ORDINARY_MS : momentsMs);
    // A clock that was set back makes no snapshot too close to the previous one.
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
