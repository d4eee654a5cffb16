/** Applies events to the listed sessions, until they are read again. Pure. */
import type { EventRecord } from '$shared/schema/events/events.ts';
import type { FoundFacts, FoundSession } from '$shared/schema/agents/found.ts';

export function applyFound(
  sessions: readonly FoundSession[],
  event: EventRecord,
): readonly FoundSession[] {
  switch (event.type) {
    case 'found.appeared':
    case 'found.changed':
      return withFacts(sessions, event.data, event.at);
    case 'found.ended':
      return sessions.filter(({ id }) => id !== event.data.found);
    default:
      return sessions;
  }
}

function withFacts(
  sessions: readonly FoundSession[],
  { found: id, ...facts }: FoundFacts,
  at: string,
): readonly FoundSession[] {
  const known = sessions.find((session) => session.id === id);
  if (known === undefined) return [...sessions, { ...sessionSeen(id, at), ...facts }];
  // Events carry no lines of the agent; those of the same state stay true.
  const isSame = known.agent.state === facts.agent.state && known.agent.cause === facts.agent.cause;
  const agent = isSame ? { ...facts.agent, detail: known.agent.detail } : facts.agent;
  return sessions.map((session) => (session === known ? { ...known, ...facts, agent } : session));
}

/** What no event says is read a moment later. */
function sessionSeen(id: string, started_at: string) {
  return {
    id,
    pid: Number.parseInt(id, 10),
    client: 'claude' as const,
    name: null,
    version: null,
    tty: null,
    tmux: null,
    job: null,
    editor: null,
    started_at,
    transcript: null,
    usage: { tokens: null, cost: null },
  };
}
