import type { LoopStatus, Session } from '$shared/schema/model.ts';
import { entryFor } from '$shared/words/entry-for.ts';
import type { LiveWork, LoopReading } from './live-work.ts';

/** One line of the overview: a session, its loop, or a loop whose session has ended. */
export interface Card {
  name: string;
  session: Session | null;
  reading: LoopReading | null;
}

/** Loops that need a person come first. */
const RANK: Record<LoopStatus, number> = {
  failed: 0,
  restart_wait: 1,
  quota_wait: 1,
  stopping: 2,
  starting: 2,
  running: 2,
  stopped: 3,
};

/** By rank, then by name. */
export function listCards(work: LiveWork): Card[] {
  const names = new Set([...Object.keys(work.sessions), ...Object.keys(work.loops)]);
  return [...names]
    .map((name) => ({
      name,
      session: work.sessions[name] ?? null,
      reading: work.loops[name] ?? null,
    }))
    .sort((a, b) => rank(a) - rank(b) || a.name.localeCompare(b.name));
}

function rank({ reading }: Card): number {
  const { status, wait } = reading?.loop ?? { status: 'stopped', wait: null };
  // A running loop that waits needs more attention than one that works.
  return status === 'running' && wait !== null ? RANK.quota_wait : entryFor(RANK, status, () => 2);
}
