/** How often the shown state was the true one, and how late it was. Pure. */
import type { AgentGroup } from '../../shared/schema/agents/agent-state.ts';

export interface Change {
  atMs: number;
  /** Null while nothing is known, such as during a start. */
  group: AgentGroup | null;
}

/** What was shown at a moment; null while the daemon did not answer. */
export interface Sighting {
  atMs: number;
  group: AgentGroup | null;
}

export interface Confusion {
  /** Polls by `true > shown`, for the wrong ones. */
  wrong: Record<string, number>;
  polls: number;
  right: number;
  /** The longest time `working` was shown for an agent that waited or had exited. */
  falselyWorkingMs: number;
}

/** A change counts as shown in time within this. */
const IN_TIME_MS = 1_000;

/** `changes` are the true ones, oldest first. */
export function confusionOf(changes: readonly Change[], sightings: readonly Sighting[]): Confusion {
  const confusion: Confusion = { wrong: {}, polls: 0, right: 0, falselyWorkingMs: 0 };
  for (const { atMs, group } of sightings) {
    if (group === null) continue;
    const true_ = trueGroups(changes, atMs);
    if (true_.length === 0 || true_.includes(null)) continue;
    confusion.polls += 1;
    if (true_.includes(group)) {
      confusion.right += 1;
      continue;
    }
    const now = true_.at(-1) ?? group;
    const key = `${now} > ${group}`;
    confusion.wrong[key] = (confusion.wrong[key] ?? 0) + 1;
    if (group !== 'working' || (now !== 'waiting' && now !== 'exited')) continue;
    const since = changes.findLast((change) => change.atMs <= atMs)?.atMs ?? atMs;
    confusion.falselyWorkingMs = Math.max(confusion.falselyWorkingMs, atMs - since);
  }
  return confusion;
}

/** All that were true within the time a change may take to be shown; the last one is true now. */
function trueGroups(changes: readonly Change[], atMs: number): (AgentGroup | null)[] {
  const past = changes.filter((change) => change.atMs <= atMs);
  const first = past.findLastIndex((change) => change.atMs <= atMs - IN_TIME_MS);
  return past.slice(Math.max(0, first)).map(({ group }) => group);
}
