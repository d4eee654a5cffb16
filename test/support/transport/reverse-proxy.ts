/** A reverse proxy in front of a daemon: keeps the Host, adds its own headers, may buffer. */
import { createServer, request, type IncomingMessage, type ServerResponse } from 'node:http';
import { connect, type AddressInfo, type Socket } from 'node:net';
import type { Duplex } from 'node:stream';

const SLOW_BYTES = 64;

interface ProxyOptions {
  /** Sent with every request, as a proxy configured that way does. */
  headers?: Record<string, string>;
  /** Passes answers in small pieces, one per tick. */
  slow?: boolean;
}

export class ReverseProxy {
  readonly #target: URL;
  readonly #options: ProxyOptions;
  readonly #server = createServer((incoming, outgoing) => this.#forward(incoming, outgoing));
  readonly #sockets = new Set<Duplex>();

  private constructor(target: string, options: ProxyOptions) {
    this.#target = new URL(target);
    this.#options = options;
    this.#server.on('upgrade', (incoming, socket) => this.#join(incoming, socket));
    this.#server.on('connection', (socket) => this.#keep(socket));
  }

  static async listen(target: string, options: ProxyOptions = {}): Promise<ReverseProxy> {
    const proxy = new ReverseProxy(target, options);
    await new Promise<void>((resolve) => proxy.#server.listen(0, '127.0.0.1', resolve));
    return proxy;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  #forward(incoming: IncomingMessage, outgoing: ServerResponse): void {
    const { hostname, port } = this.#target;
    const upstream = request({
      hostname,
      port,
      method: incoming.method,
      path: incoming.url,
      headers: { ...incoming.headers, ...this.#options.headers },
    });
    upstream.on('error', () => outgoing.destroy());
    upstream.on('response', (answer) => void this.#pass(answer, outgoing));
    outgoing.on('close', () => upstream.destroy());
    incoming.pipe(upstream);
  }

  /** Buffers as nginx does: the whole answer, unless it asks for none. */
  async #pass(answer: IncomingMessage, outgoing: ServerResponse): Promise<void> {
    const isBuffered = answer.headers['x-accel-buffering'] !== 'no';
    const parts: Buffer[] = [];
    outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
    if (!isBuffered) outgoing.flushHeaders();
    try {
      for await (const part of answer as AsyncIterable<Buffer>) {
        if (isBuffered) parts.push(part);
        else await this.#write(outgoing, part);
      }
      for (const part of parts) await this.#write(outgoing, part);
      outgoing.end();
    } catch {
      outgoing.destroy();
    }
  }

  async #write(outgoing: ServerResponse, part: Buffer): Promise<void> {
    const size = this.#options.slow === true ? SLOW_BYTES : part.length;
    for (let at = 0; at < part.length; at += size) {
      outgoing.write(part.subarray(at, at + size));
      await new Promise((resolve) => setImmediate(resolve));
    }
  }

  #join(incoming: IncomingMessage, socket: Duplex): void {
    const upstream = connect(Number(this.#target.port), this.#target.hostname);
    this.#keep(upstream);
    const headers = { ...incoming.headers, ...this.#options.headers };
    const lines = Object.entries(headers).map(([name, value]) => `${name}: ${String(value)}\r\n`);
    upstream.write(`GET ${incoming.url ?? '/'} HTTP/1.1\r\n${lines.join('')}\r\n`);
    socket.pipe(upstream).pipe(socket);
  }

  #keep(socket: Socket): void {
    this.#sockets.add(socket);
    socket.on('error', () => socket.destroy());
    socket.on('close', () => this.#sockets.delete(socket));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const socket of this.#sockets) socket.destroy();
    await new Promise<void>((resolve) => this.#server.close(() => resolve()));
  }
}
