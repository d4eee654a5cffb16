/** A receiver of webhooks on a real port, that answers as a test defines and keeps what it got. */
import { once } from 'node:events';
import {
  createServer,
  type IncomingHttpHeaders,
  type Server,
  type ServerResponse,
} from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

export interface ReceivedWebhook {
  method: string;
  path: string;
  headers: IncomingHttpHeaders;
  body: string;
}

export interface ReceivedBody {
  type: string;
  timestamp: string;
  data: { seq: number; session?: string; epoch: string };
}

type Answer = (response: ServerResponse, got: ReceivedWebhook) => void;

export class WebhookReceiver {
  readonly got: ReceivedWebhook[] = [];
  answer: Answer;
  port = 0;
  #server: Server | null = null;

  private constructor(answer: Answer) {
    this.answer = answer;
  }

  static async open(answer: Answer = withStatus(204)): Promise<WebhookReceiver> {
    const receiver = new WebhookReceiver(answer);
    await receiver.listen();
    return receiver;
  }

  get url(): string {
    return `http://127.0.0.1:${this.port}/hook`;
  }

  /** Everything it got, in order. */
  get bodies(): ReceivedBody[] {
    return this.got.map(({ body }) => JSON.parse(body) as ReceivedBody);
  }

  get ids(): unknown[] {
    return this.got.map(({ headers }) => headers['webhook-id']);
  }

  /** Opens its port; after `close` the same one again. */
  async listen(): Promise<void> {
    const server = createServer((request, response) => {
      void text(request).then((body) => {
        const { method = '', url: path = '', headers } = request;
        const got = { method, path, headers, body };
        this.got.push(got);
        this.answer(response, got);
      });
    });
    server.listen(this.port, '127.0.0.1');
    await once(server, 'listening');
    this.#server = server;
    this.port = (server.address() as AddressInfo).port;
  }

  /** Closes the port; pending requests are cut off. */
  async close(): Promise<void> {
    const server = this.#server;
    this.#server = null;
    if (server === null) return;
    const closed = once(server, 'close');
    server.close();
    server.closeAllConnections();
    await closed;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }
}

/** Answers with a status and no body. */
export function withStatus(status: number, headers: Record<string, string> = {}): Answer {
  return (response) => void response.writeHead(status, headers).end();
}

/** Never answers. */
export const silent: Answer = () => undefined;
