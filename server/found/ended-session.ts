/** A found session that has ended, as the log knows it. */
import { FoundFacts } from '../../shared/schema/agents/found.ts';
import type { EventLog } from '../events/event-log.ts';

/** `id`: of the session, or the pid of its process, then the newest one with it. Null without one. */
export function endedSession(log: Pick<EventLog, 'newestOfKind'>, id: string): FoundFacts | null {
  const ends = log
    .newestOfKind('found')
    .filter(({ type, subjectId }) => {
      return type === 'found.ended' && (subjectId === id || subjectId.startsWith(`${id}-`));
    })
    .sort((one, other) => other.seq - one.seq);
  const [newest] = ends;
  return newest === undefined ? null : (FoundFacts.safeParse(JSON.parse(newest.data)).data ?? null);
}
