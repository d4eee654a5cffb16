import { createServer } from 'node:net';
import type { UwsApp, UwsEngine, UwsListenSocket } from './engine.ts';

/**
 * Takes an app and an address; gives the listening socket. Rejects with the error node has for it
 * (EADDRINUSE, EACCES, …): the engine itself tells no reason.
 */
export async function listen(
  engine: UwsEngine,
  app: UwsApp,
  { host, port }: { host: string; port: number },
): Promise<UwsListenSocket> {
  const socket = await new Promise<UwsListenSocket | false>((resolve) => {
    // Or two daemons would share one port without a word.
    app.listen(host, port, engine.LIBUS_LISTEN_EXCLUSIVE_PORT, resolve);
  });
  if (socket !== false) return socket;
  await probe(host, port);
  throw new Error(`cannot listen on ${host}:${port}`);
}

async function probe(host: string, port: number): Promise<void> {
  const server = createServer();
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen({ host, port, exclusive: true }, () => server.close(() => resolve()));
  });
}
