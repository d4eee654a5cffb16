/** What most programs do with `ws`: encode once, send to each client. */
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { WebSocketServer } from 'ws';
import { frameBytes } from '../load/frame-size.ts';
import { EVENT_BYTES } from './bench-event.ts';
import type { Contender } from './contender.ts';
import { END_OF_HEAD, upgradeRequest } from './upgrade-request.ts';

export async function openNaiveWs(): Promise<Contender> {
  const server = new WebSocketServer({ host: '127.0.0.1', port: 0, perMessageDeflate: false });
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    port,
    greeting: { request: upgradeRequest(port, '/', []), steps: [{ until: END_OF_HEAD }] },
    wireBytes: frameBytes(EVENT_BYTES),
    publish(events) {
      for (const event of events) {
        const text = JSON.stringify(event);
        for (const client of server.clients) client.send(text);
      }
    },
    close() {
      for (const client of server.clients) client.terminate();
      server.close();
    },
  };
}
