import { formatCursor, parseCursor } from '../../../shared/schema/events/cursor.ts';
import type { ApiClient } from '../daemon/api-client.ts';
import { EventConsumer, type EventRequest, type Reset } from './event-consumer.ts';
import { eventQuery } from './open-poll-consumer.ts';

/** Reads Server-Sent Events. */
export async function openSseConsumer(
  api: ApiClient,
  request: EventRequest,
): Promise<EventConsumer> {
  const aborter = new AbortController();
  const { epoch, head } = (await api.get('/api/status')).body as { epoch: string; head: number };
  const response = await fetch(`${api.url}/api/events/stream?${eventQuery(request)}`, {
    headers: { authorization: `Bearer ${api.token}` },
    signal: aborter.signal,
  });
  if (response.status !== 200 || response.body === null) {
    const { error } = (await response.json()) as { error: { code: string } };
    throw new Error(error.code);
  }
  const after = request.after === null ? head : (parseCursor(request.after)?.after ?? 0);
  const blocks = blocksOf(response.body);
  // The first block is the reconnection delay; with it the stream has begun.
  await blocks.next();
  const consumer = new EventConsumer(formatCursor(epoch, after), async () => {
    aborter.abort();
    await reading;
  });
  const reading = read(blocks, consumer);
  return consumer;
}

async function read(blocks: AsyncGenerator<string>, consumer: EventConsumer): Promise<void> {
  try {
    for await (const block of blocks) {
      const field = (name: string) => new RegExp(`^${name}: (.*)$`, 'm').exec(block)?.[1] ?? '';
      const cursor = field('id');
      const data = field('data');
      if (data === '') continue;
      const event = field('event');
      if (event === '') consumer.put({ kind: 'event', json: data, cursor });
      else if (event === 'cursor') consumer.put({ kind: 'cursor', cursor });
      else consumer.put({ kind: 'reset', reset: JSON.parse(data) as Reset, cursor });
    }
    consumer.end('the server ended it');
  } catch (error) {
    consumer.end(String(error));
  }
}

async function* blocksOf(body: ReadableStream<Uint8Array>): AsyncGenerator<string> {
  let text = '';
  for await (const chunk of body.pipeThrough(new TextDecoderStream())) {
    text += chunk;
    const blocks = text.split('\n\n');
    text = blocks.pop() ?? '';
    yield* blocks;
  }
}
