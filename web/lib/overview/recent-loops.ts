/** The loops that ended recently. Pure. */
import type { PastLoop } from '$shared/schema/loops/past-loop.ts';

/** What ended within this time is listed as done recently. */
export const RECENT_MS = 24 * 3_600_000;

/** The last loop of each session, if it ended at or after `since` (milliseconds). */
export function recentLoops(
  loops: readonly PastLoop[],
  since: number,
): ReadonlyMap<string, PastLoop> {
  const last = new Map<string, PastLoop>();
  for (const loop of loops) {
    const before = last.get(loop.session);
    if (before === undefined || loop.started_at > before.started_at) last.set(loop.session, loop);
  }
  for (const [session, { ended_at: at }] of last) {
    if (at === null || Date.parse(at) < since) last.delete(session);
  }
  return last;
}
