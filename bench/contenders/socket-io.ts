/** Socket.IO's broadcast, over WebSocket only. */
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Server } from 'socket.io';
import { frameBytes } from '../load/frame-size.ts';
import { EVENT_BYTES } from './bench-event.ts';
import type { Contender } from './contender.ts';
import { socketIoGreeting } from './socket-io-greeting.ts';

const EVENT = 'event';
/** Longer than any run, so that only events are counted. */
const PING_INTERVAL_MS = 600_000;

export async function openSocketIo(): Promise<Contender> {
  const http = createServer();
  const server = new Server(http, {
    transports: ['websocket'],
    perMessageDeflate: false,
    serveClient: false,
    pingInterval: PING_INTERVAL_MS,
  });
  http.listen(0, '127.0.0.1');
  await once(http, 'listening');
  const { port } = http.address() as AddressInfo;
  return {
    port,
    greeting: socketIoGreeting(port),
    wireBytes: frameBytes(`42["${EVENT}",]`.length + EVENT_BYTES),
    publish(events) {
      for (const event of events) server.emit(EVENT, event);
    },
    close: () => void server.close(),
  };
}
