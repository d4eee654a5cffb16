/** Answers in place of a daemon as a test defines; the command line finds it as it finds a daemon. */
import { once } from 'node:events';
import { mkdirSync, writeFileSync } from 'node:fs';
import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { DAEMON_FILE } from '../../../server/lib/files/daemon-file.ts';

/** One request as it came. */
export interface Asked {
  /** Method and path, such as `GET /api/status`. */
  line: string;
  query: Record<string, string>;
  body: unknown;
}

/** Returns the body of the answer, or writes to the response itself and returns null. */
type Answer = (asked: Asked, response: ServerResponse) => object | null;

export class FakeDaemon {
  readonly asked: Asked[] = [];
  readonly #answers = new Map<string, Answer>();
  readonly #server: Server;

  private constructor() {
    this.#server = createServer((request, response) => {
      const { pathname, searchParams } = new URL(request.url ?? '', 'http://fake');
      const line = `${request.method ?? ''} ${pathname}`;
      const query = Object.fromEntries(searchParams);
      void text(request).then((body) => {
        this.#answer({ line, query, body: body === '' ? null : JSON.parse(body) }, response);
      });
    });
  }

  /** `home` is that of a world; answers until disposed. */
  static async open(home: string): Promise<FakeDaemon> {
    const daemon = new FakeDaemon();
    daemon.#server.listen(0, '127.0.0.1');
    await once(daemon.#server, 'listening');
    const { port } = daemon.#server.address() as AddressInfo;
    const url = `http://127.0.0.1:${port}`;
    mkdirSync(home, { recursive: true });
    writeFileSync(join(home, DAEMON_FILE), JSON.stringify({ url, pid: process.pid }));
    writeFileSync(join(home, 'token'), 'token');
    return daemon;
  }

  /** `line` is method and path; the answer applies from now on. */
  on(line: string, answer: Answer | object): this {
    this.#answers.set(line, typeof answer === 'function' ? (answer as Answer) : () => answer);
    return this;
  }

  /** The lines of all requests so far. */
  get lines(): string[] {
    return this.asked.map(({ line }) => line);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const closed = once(this.#server, 'close');
    this.#server.close();
    this.#server.closeAllConnections();
    await closed;
  }

  #answer(asked: Asked, response: ServerResponse): void {
    this.asked.push(asked);
    const answer = this.#answers.get(asked.line);
    if (answer === undefined) return refuse(response, 404, 'task_unknown', 'there is no such task');
    const body = answer(asked, response);
    if (body === null) return;
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify(body));
  }
}

/** Answers with an error of the contract. */
export function refuse(
  response: ServerResponse,
  status: number,
  code: string,
  message: string,
): void {
  response.writeHead(status, { 'content-type': 'application/json' });
  response.end(JSON.stringify({ error: { code, message, retryable: false } }));
}
