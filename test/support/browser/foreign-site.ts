import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface ForeignSite {
  url: string;
  /** Every request that reached it. */
  requests: string[];
  [Symbol.asyncDispose](): Promise<void>;
}

/** A foreign site on this machine: an empty page that any origin may read. */
export async function openForeignSite(): Promise<ForeignSite> {
  const requests: string[] = [];
  const server = createServer((request, response) => {
    requests.push(`${request.method ?? ''} ${request.url ?? ''}`);
    response.setHeader('content-type', 'text/html');
    response.setHeader('access-control-allow-origin', '*');
    response.end('<!doctype html><title>Somebody else</title>');
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    requests,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
