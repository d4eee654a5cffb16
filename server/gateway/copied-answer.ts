/** What is known of a host that cannot be reached: the lists it kept, and its events. */
import { API } from '../../shared/endpoints/api.ts';
import type { Endpoint } from '../../shared/endpoints/endpoint.ts';
import { EventsQuery } from '../../shared/schema/requests.ts';
import { eventCursor, eventFilter } from '../api/event-query.ts';
import { parseSchema } from '../api/parse-schema.ts';
import { readQuery } from '../api/read-query.ts';
import { type EventFilter, eventSelector } from '../events/event-stream.ts';
import type { Carrier } from '../fleet/carrier.ts';
import { toIso } from '../lib/clock.ts';
import { parseJson } from '../lib/parse-json.ts';
import { subjectRef, type Subject } from '../../shared/schema/events/subject.ts';

/** When the answer was true. */
const AS_OF = 'loopwatch-as-of';
/** Bound a list, and change nothing else in it: a copy may be longer. */
const BOUNDS = ['limit', 'max_problems', 'problems'];

/** The targets of which each host keeps its newest answer. */
export const COPIED_TARGETS = Object.values<Endpoint>(API).flatMap(({ path, copied }) =>
  copied === undefined ? [] : [path + copied],
);

/** Null when nothing of it is known; throws when the fleet cannot be reached either. */
export async function copiedAnswer(
  carrier: Carrier,
  { id, heardAt }: { id: string; heardAt: string },
  target: string,
): Promise<Response | null> {
  const { pathname, search } = new URL(target, 'http://host');
  if (pathname === API.listEvents.path) return replayedEvents(carrier, id, heardAt, search);
  const kept = COPIED_TARGETS.find((each) => isAnsweredBy(each, pathname, search));
  const copy = kept === undefined ? null : await carrier.copy(id, kept);
  if (copy === null) return null;
  return new Response(new Uint8Array(copy.answer), {
    headers: { 'content-type': 'application/json', [AS_OF]: toIso(copy.atMs) },
  });
}

function isAnsweredBy(kept: string, pathname: string, search: string): boolean {
  const url = new URL(kept, 'http://host');
  const asked = [...new URLSearchParams(search)];
  return (
    url.pathname === pathname &&
    asked.every(([name, value]) => BOUNDS.includes(name) || url.searchParams.get(name) === value)
  );
}

/** The same page as of the host itself, from the copy of its log. */
async function replayedEvents(
  carrier: Carrier,
  id: string,
  heardAt: string,
  search: string,
): Promise<Response | null> {
  const query = parseSchema(EventsQuery, readQuery(search), 'invalid_query') as ReturnType<
    typeof EventsQuery.parse
  >;
  const position = await carrier.position(id);
  if (position === null) return null;
  const { epoch, last: head } = position;
  const isBackwards = query.before !== undefined;
  const cursor = eventCursor(query.before ?? query.after, isBackwards ? head + 1 : 0);
  const isOther = cursor.epoch !== null && cursor.epoch !== epoch;
  const after = cursor.after ?? 0;
  const from = isBackwards ? Math.max(0, after - 1 - query.limit) : after;
  const replayed = isOther ? [] : await carrier.replay(id, epoch, from, query.limit);
  const records = replayed.flatMap((json) => readRecord(json));
  const whole = isBackwards ? records : upToGap(records, after);
  const read = isBackwards ? records.filter(({ seq }) => seq < after).reverse() : whole;
  // What is missing there was removed by that host before it could be copied.
  const isExpired = !isBackwards && read.length === 0 && records.length > 0;
  const selects = eventSelector(eventFilter(query) satisfies EventFilter);
  const events = read.filter(selects).map(({ json }) => json);
  const edge = read.at(-1)?.seq ?? (isBackwards ? 0 : Math.max(after, head));
  const next = isOther ? head : isBackwards && edge <= 1 ? 0 : edge;
  const reason = isOther ? 'epoch' : isExpired ? 'expired' : null;
  const oldest = records[0]?.seq ?? 1;
  const reset = reason === null ? {} : { reset: { reason, oldest, head } };
  const rest = JSON.stringify({ epoch, head, next, ...reset });
  return new Response(`${rest.slice(0, -1)},"events":[${events.join(',')}]}`, {
    headers: { 'content-type': 'application/json', [AS_OF]: heardAt },
  });
}

/** Events that follow each other and the cursor; a reader without one begins with the oldest. */
function upToGap<Event extends { seq: number }>(events: Event[], after: number): Event[] {
  const [first] = events;
  const before = after === 0 ? (first?.seq ?? 1) - 1 : after;
  const end = events.findIndex(({ seq }, n) => seq !== before + n + 1);
  return end === -1 ? events : events.slice(0, end);
}

function readRecord(json: string) {
  const record = parseJson(json) as
    { seq?: number; type?: string; subject?: Subject; session?: string } | undefined;
  const { seq, type, subject, session = null } = record ?? {};
  if (seq === undefined || type === undefined || subject === undefined) return [];
  return [{ seq, type, subject: subjectRef(subject), session, json }];
}
