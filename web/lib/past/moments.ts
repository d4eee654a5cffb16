/** The moments of a screen: their styles, and how to find one. Pure. */
import type { Mark, Tone } from '$lib/ui/tone.ts';
import type { EventRecord } from '$shared/schema/events/events.ts';
import type { ScreenEntry, ScreenMoment } from '$shared/schema/past-screen.ts';

interface MomentStyle {
  label: string;
  tone: Tone;
  /** Null: too frequent to be drawn as more than a line. */
  mark: Mark | null;
}

/** Label, shape and colour of each moment of a screen. */
export const MOMENT_STYLE: Record<ScreenMoment, MomentStyle> = {
  agent: { label: 'Agent changed', tone: 'idle', mark: null },
  signal: { label: 'Signal', tone: 'work', mark: 'disc' },
  restart: { label: 'Restart', tone: 'work', mark: 'ring' },
  recovery: { label: 'Recovery', tone: 'wait', mark: 'half' },
  quota: { label: 'Quota', tone: 'wait', mark: 'clock' },
  stall: { label: 'Stall', tone: 'wait', mark: 'dash' },
  attention: { label: 'Needs a person', tone: 'wait', mark: 'square' },
  end: { label: 'End', tone: 'idle', mark: 'tick' },
  crash: { label: 'Crash', tone: 'fail', mark: 'cross' },
};

const CRASHES: readonly string[] = ['auto.restart_scheduled', 'auto.failed'];

/**
 * The snapshot that led to an event: the newest one before it, for a crash the last one of the
 * crashed agent; the first one when all are later. `shots` are oldest first. Null when there is
 * none.
 */
export function findShot(
  shots: readonly ScreenEntry[],
  { seq, type }: Pick<EventRecord, 'seq' | 'type'>,
): ScreenEntry | null {
  const before = shots.findLast((shot) => shot.seq < seq) ?? shots[0] ?? null;
  if (!CRASHES.includes(type)) return before;
  const crashed = shots.findLast((shot) => shot.seq < seq && shot.moment === 'crash');
  return crashed ?? before;
}

/** Index of the next moment, or of the end. `shots` are oldest first; `shots.length` means now. */
export function nextMoment(shots: readonly ScreenEntry[], from: number, direction: 1 | -1): number {
  let place = from + direction;
  while (place > 0 && place < shots.length) {
    const moment = shots[place]?.moment ?? null;
    if (moment !== null && moment !== 'agent') return place;
    place += direction;
  }
  return Math.min(shots.length, Math.max(0, place));
}
