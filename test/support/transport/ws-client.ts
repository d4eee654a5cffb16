import { WebSocket } from 'ws';
import type { ServerFrame } from '../../../shared/schema/events/protocol.ts';
import type { ApiClient } from '../daemon/api-client.ts';

/** One WebSocket whose frames a test takes one by one; nothing is lost between two takes. */
export class WsClient {
  readonly socket: WebSocket;
  readonly closed: Promise<{ code: number; reason: string }>;
  /** Gets each binary frame. */
  onBytes: (bytes: Buffer) => void = () => undefined;
  readonly #frames: ServerFrame[] = [];
  #wake: () => void = () => undefined;
  #over = false;

  constructor(
    url: string,
    options: { token?: string; protocols?: string[]; headers?: Record<string, string> },
  ) {
    const headers = {
      ...(options.token === undefined ? {} : { authorization: `Bearer ${options.token}` }),
      ...options.headers,
    };
    const target = `${url.replace(/^http/, 'ws')}/ws`;
    this.socket = new WebSocket(target, options.protocols ?? ['loopwatch.v1'], { headers });
    this.socket.on('message', (data, isBinary) => {
      if (isBinary) {
        this.onBytes(data as Buffer);
        return;
      }
      this.#frames.push(JSON.parse((data as Buffer).toString()) as ServerFrame);
      this.#wake();
    });
    this.closed = new Promise((resolve) => {
      this.socket.on('close', (code, reason) => {
        this.#over = true;
        this.#wake();
        resolve({ code, reason: reason.toString() });
      });
    });
    this.socket.on('error', () => undefined);
  }

  static async connect(api: ApiClient): Promise<WsClient> {
    const client = new WsClient(api.url, { token: api.token });
    await client.next('welcome');
    return client;
  }

  send(frame: object): void {
    this.socket.send(JSON.stringify(frame));
  }

  /** The next frame of one of these types; earlier frames of others are skipped. */
  async next<Type extends ServerFrame['type']>(
    ...types: readonly Type[]
  ): Promise<Extract<ServerFrame, { type: Type }>> {
    for (;;) {
      const frame = this.#frames.shift();
      if (types.some((type) => frame?.type === type)) {
        return frame as Extract<ServerFrame, { type: Type }>;
      }
      if (frame !== undefined) continue;
      if (this.#over) throw new Error(`closed while waiting for ${types.join(' or ')}`);
      await new Promise<void>((resolve) => (this.#wake = resolve));
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.socket.terminate();
    await this.closed;
  }
}
