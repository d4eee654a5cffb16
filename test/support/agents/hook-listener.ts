/** Replaces a daemon: receives and keeps hooks, and answers on command. */
import { once } from 'node:events';
import { mkdirSync, writeFileSync } from 'node:fs';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import type { World } from '../daemon/world.ts';

export interface ReceivedHook {
  authorization: string | undefined;
  payload: unknown;
  answer: (body: object) => void;
}

export class HookListener implements AsyncDisposable {
  readonly received: ReceivedHook[] = [];
  readonly #server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const payload: unknown = JSON.parse(Buffer.concat(chunks).toString());
      const { authorization } = request.headers;
      this.received.push({ authorization, payload, answer: (body) => say(response, body) });
      if (this.#answer !== null) say(response, this.#answer);
    });
  });
  readonly #answer: object | null;

  /** `answer` goes to every hook at once; null: only when a test answers. */
  private constructor(answer: object | null) {
    this.#answer = answer;
  }

  /** Listens, and announces itself in the file of the world's daemon. */
  static async open(world: World, answer: object | null): Promise<HookListener> {
    const listener = new HookListener(answer);
    const server = listener.#server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    announce(world, `http://127.0.0.1:${(server.address() as AddressInfo).port}`, process.pid);
    return listener;
  }

  /** Breaks held connections, as a daemon that dies. */
  async [Symbol.asyncDispose](): Promise<void> {
    const closed = once(this.#server, 'close');
    this.#server.close();
    this.#server.closeAllConnections();
    await closed;
  }
}

/** Makes hooks believe that the daemon of this world runs. */
export function announce(world: World, url: string, pid: number): void {
  mkdirSync(world.home, { recursive: true, mode: 0o700 });
  writeFileSync(join(world.home, 'daemon.json'), JSON.stringify({ url, pid }));
}

function say(response: ServerResponse, body: object): void {
  response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}
