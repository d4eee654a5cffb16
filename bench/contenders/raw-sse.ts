/** Server-sent events by hand: encode once, write to each response. */
import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { chunkBytes } from '../load/frame-size.ts';
import { EVENT_BYTES } from './bench-event.ts';
import type { Contender } from './contender.ts';
import { END_OF_HEAD } from './upgrade-request.ts';

export async function openRawSse(): Promise<Contender> {
  const responses = new Set<ServerResponse>();
  const server = createServer((_request, response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-store' });
    response.flushHeaders();
    responses.add(response);
    response.on('close', () => responses.delete(response));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    port,
    greeting: {
      request: `GET / HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nAccept: text/event-stream\r\n\r\n`,
      steps: [{ until: END_OF_HEAD }],
    },
    wireBytes: chunkBytes('data: \n\n'.length + EVENT_BYTES),
    publish(events) {
      for (const event of events) {
        const text = `data: ${JSON.stringify(event)}\n\n`;
        for (const response of responses) response.write(text);
      }
    },
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
}
