import { WebSocket } from 'ws';
import { formatCursor, parseCursor } from '../../../shared/schema/events/cursor.ts';
import type { ServerFrame } from '../../../shared/schema/events/protocol.ts';
import type { ApiClient } from '../daemon/api-client.ts';
import { EventConsumer, type EventRequest } from './event-consumer.ts';

const EVENT_FRAME = '{"type":"event","event":';

/** Subscribes over WebSocket. */
export async function openWsConsumer(
  api: ApiClient,
  request: EventRequest,
): Promise<EventConsumer> {
  const socket = new WebSocket(`${api.url.replace(/^http/, 'ws')}/ws`, ['loopwatch.v1'], {
    headers: { authorization: `Bearer ${api.token}` },
  });
  const closed = new Promise<number>((resolve) => socket.once('close', resolve));
  const close = async () => {
    socket.terminate();
    await closed;
  };
  socket.on('error', () => undefined);
  let consumer: EventConsumer | null = null;
  let epoch = '';
  return new Promise((resolve, reject) => {
    socket.on('message', (data) => {
      const text = (data as Buffer).toString();
      const frame = JSON.parse(text) as ServerFrame;
      switch (frame.type) {
        case 'welcome':
          epoch = frame.epoch;
          socket.send(JSON.stringify(subscribeFrame(request)));
          return;
        case 'subscribed':
          consumer = new EventConsumer(startOf(request, epoch, frame.head), close);
          resolve(consumer);
          return;
        case 'event': {
          const json = text.slice(EVENT_FRAME.length, -1);
          consumer?.put({ kind: 'event', json, cursor: formatCursor(epoch, frame.event.seq) });
          return;
        }
        case 'cursor':
          consumer?.put({ kind: 'cursor', cursor: formatCursor(epoch, frame.seq) });
          return;
        case 'reset': {
          const { reason, oldest, head } = frame;
          const reset = { reason, oldest, head };
          consumer?.put({ kind: 'reset', reset, cursor: formatCursor(epoch, head) });
          return;
        }
        case 'error':
          reject(new Error(frame.code));
          void close();
          return;
        default:
          return;
      }
    });
    void closed.then((code) => {
      consumer?.end(`close code ${code}`);
      reject(new Error(`closed with ${code}`));
    });
  });
}

function subscribeFrame({ after, types = ['*'], sessions, subjects }: EventRequest): object {
  const cursor = after === null ? null : parseCursor(after);
  return {
    type: 'subscribe',
    id: 1,
    types,
    ...(sessions === undefined ? {} : { sessions }),
    ...(subjects === undefined ? {} : { subjects }),
    after: cursor?.after ?? null,
    ...(cursor?.epoch == null ? {} : { epoch: cursor.epoch }),
  };
}

function startOf({ after }: EventRequest, epoch: string, head: number): string {
  return formatCursor(epoch, after === null ? head : (parseCursor(after)?.after ?? 0));
}
