/**
 * The pure reducer of the page: work and event to work, and then what the daemon says the event
 * changed. Where it says nothing, that is read from it.
 */
import type { EventRecord } from '$shared/schema/events/events.ts';
import { isRoutine } from '$shared/rules/events/is-routine.ts';
import type { Views } from '$shared/schema/events/protocol.ts';
import { type LiveWork, newestFirst } from './live-work.ts';
import { withClearing, withItemsOf } from './inbox.ts';

export function apply(work: LiveWork, event: EventRecord): LiveWork {
  if (isRoutine(event.type)) return work;
  const next = { ...work, events: newestFirst([event, ...work.events]) };
  if (event.type === 'attention.cleared') {
    return { ...next, inbox: withClearing(work.inbox, event.data, event.at) };
  }
  const name = event.session;
  if (name === undefined) return next;
  switch (event.type) {
    case 'session.created':
      return withSession(next, name, {
        name,
        cwd: event.data.cwd,
        terminal: event.data.terminal === 'pty' ? 'pty' : 'tmux',
        status: 'open',
        owner: work.sessions[name]?.owner ?? null,
        agent: null,
        created_at: event.at,
      });
    case 'session.closed':
      return { ...next, sessions: without(next.sessions, name) };
    case 'session.agent_changed': {
      const session = next.sessions[name];
      if (session === undefined) return next;
      return withSession(next, name, { ...session, agent: event.data.agent });
    }
    case 'session.owner_changed': {
      const session = next.sessions[name];
      if (session === undefined) return next;
      return withSession(next, name, { ...session, owner: event.data.owner });
    }
    case 'auto.ended':
      return { ...next, loops: without(next.loops, name) };
    default:
      return next;
  }
}

/** What the daemon sends behind events; `at`: now, in milliseconds. */
export function applyViews(work: LiveWork, { loops, inbox }: Views, at: number): LiveWork {
  const readings = loops.map((loop) => [loop.session_name, { loop, readAt: at }] as const);
  return {
    ...work,
    loops: { ...work.loops, ...Object.fromEntries(readings) },
    inbox: inbox.reduce(withItemsOf, work.inbox),
  };
}

function withSession(
  work: LiveWork,
  name: string,
  session: LiveWork['sessions'][string],
): LiveWork {
  return { ...work, sessions: { ...work.sessions, [name]: session } };
}

function without<Value>(
  record: Readonly<Record<string, Value>>,
  name: string,
): Readonly<Record<string, Value>> {
  return Object.fromEntries(Object.entries(record).filter(([key]) => key !== name));
}
