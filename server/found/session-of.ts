import type { FoundSessions } from './found-sessions.ts';
import type { ListedSession } from './listed-session.ts';
import { ancestors } from './origin.ts';

/**
 * The session with that conversation, also one that has just begun; null without one. `pid`: of a
 * process it started, null when not known.
 */
export async function sessionOf(
  found: FoundSessions,
  { conversation, pid }: { conversation: string; pid: number | null },
): Promise<ListedSession | null> {
  const known = () => found.list().filter((each) => each.conversation === conversation);
  if (known().length === 0) await found.scan();
  const [first, ...others] = known();
  if (first === undefined || others.length === 0 || pid === null) return first ?? null;
  // A conversation can be open twice.
  const line = ancestors(pid);
  return known().find(({ identity }) => line.includes(identity.pid)) ?? null;
}
