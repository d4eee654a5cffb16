import { formatCursor, parseCursor } from '../../../shared/schema/events/cursor.ts';
import type { EventsPage } from '../../../shared/schema/requests.ts';
import type { ApiClient } from '../daemon/api-client.ts';
import { EventConsumer, type EventRequest } from './event-consumer.ts';

const WAIT_SECONDS = 1;

/** Requests page after page, waiting for the next one. */
export async function openPollConsumer(
  api: ApiClient,
  request: EventRequest,
): Promise<EventConsumer> {
  const aborter = new AbortController();
  const { epoch, head } = (await api.get('/api/status')).body as { epoch: string; head: number };
  const start = request.after ?? formatCursor(epoch, head);
  const first = await getPage(api, { ...request, after: start }, 0, aborter.signal);
  const after = parseCursor(start)?.after ?? 0;
  const consumer = new EventConsumer(formatCursor(epoch, after), async () => {
    aborter.abort();
    await reading;
  });
  const reading = read(first, consumer, async (cursor) =>
    getPage(api, { ...request, after: cursor }, WAIT_SECONDS, aborter.signal),
  );
  return consumer;
}

/** The query of both HTTP transports. */
export function eventQuery({ after, types, sessions, subjects }: EventRequest): string {
  return new URLSearchParams({
    ...(after === null ? {} : { after }),
    ...(types === undefined ? {} : { types: types.join() }),
    ...(sessions === undefined ? {} : { session: sessions.join() }),
    ...(subjects === undefined ? {} : { subject: subjects.join() }),
  }).toString();
}

async function read(
  first: EventsPage,
  consumer: EventConsumer,
  get: (cursor: string) => Promise<EventsPage>,
): Promise<void> {
  try {
    for (let page = first; ; page = await get(formatCursor(page.epoch, page.next))) {
      const { epoch, next, reset } = page;
      const cursor = formatCursor(epoch, next);
      if (reset !== undefined) consumer.put({ kind: 'reset', reset, cursor });
      for (const event of page.events) {
        const json = JSON.stringify(event);
        consumer.put({ kind: 'event', json, cursor: formatCursor(epoch, event.seq) });
      }
      consumer.put({ kind: 'cursor', cursor });
    }
  } catch (error) {
    consumer.end(String(error));
  }
}

async function getPage(
  api: ApiClient,
  request: EventRequest,
  wait: number,
  signal: AbortSignal,
): Promise<EventsPage> {
  const url = `${api.url}/api/events?wait=${wait}&limit=500&${eventQuery(request)}`;
  const headers = { authorization: `Bearer ${api.token}` };
  const response = await fetch(url, { headers, signal });
  const text = await response.text();
  const page = JSON.parse(text) as EventsPage & { error?: { code: string } };
  if (page.error !== undefined) throw new Error(page.error.code);
  const events = page.events.map((event) => JSON.stringify(event));
  // Parsing must not have changed what is compared byte by byte.
  if (!text.includes(`"events":[${events.join()}]`)) throw new Error(`not as sent: ${text}`);
  return page;
}
