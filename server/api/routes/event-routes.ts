import { countEvents } from '../../events/event-counts.ts';
import type { EventLog } from '../../events/event-log.ts';
import type { Clock } from '../../lib/clock.ts';
import { linkSignals } from '../../lib/link-signals.ts';
import { unauthorized } from '../../people/access.ts';
import { endOf } from '../../people/identity.ts';
import { identityOf, type Handlers } from '../endpoint-handler.ts';
import type { EventReaders } from '../event-readers.ts';
import { eventCursor, eventFilter } from '../event-query.ts';
import { eventSource } from '../event-source.ts';
import { earlierPage, eventsPage } from '../long-poll.ts';

/**
 * The event stream as pages, long poll and SSE. Open requests end with the identity behind them.
 */
export function eventRoutes({
  log,
  clock,
  readers,
  stopped,
}: {
  log: EventLog;
  clock: Clock;
  readers: EventReaders;
  stopped: AbortSignal;
}): Handlers<'listEvents' | 'countEvents' | 'streamEvents'> {
  return {
    listEvents: async ({ query, request, ...call }) => {
      const identity = identityOf(call);
      if (query.before !== undefined) {
        const cursor = eventCursor(query.before, 0);
        const json = await earlierPage(log, cursor, eventFilter(query), query.limit);
        return new Response(json, { headers: { 'content-type': 'application/json' } });
      }
      using over = linkSignals(request.signal, stopped, identity.held);
      const json = await eventsPage(log, clock, readers, {
        cursor: eventCursor(query.after, 0),
        filter: eventFilter(query),
        limit: query.limit,
        waitMs: query.wait * 1000,
        signal: over.signal,
      });
      if (endOf(identity) === 'ended') throw unauthorized();
      return new Response(json, { headers: { 'content-type': 'application/json' } });
    },
    countEvents: async ({ query }) => ({
      status: 200,
      body: await countEvents(log, clock, { ...query, filter: eventFilter(query) }),
    }),
    streamEvents: ({ query, request, ...call }) => {
      // A browser that reconnects sends what it saw last; that is newer than its first request.
      const cursor = request.headers.get('last-event-id') ?? query.after;
      const wanted = { cursor: eventCursor(cursor, null), filter: eventFilter(query) };
      return eventSource(log, clock, readers, wanted, stopped, identityOf(call).held);
    },
  };
}
