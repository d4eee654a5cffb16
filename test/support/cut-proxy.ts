/** A TCP proxy on the way to a server, which tests can cut, or through which answers get lost. */
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

export class CutProxy {
  readonly #server = createServer((socket) => this.#join(socket));
  readonly #sockets = new Set<Socket>();
  readonly #port: () => number;
  /** New connections are closed at once. */
  isCut = false;
  /** What the server answers is thrown away. */
  losesAnswers = false;

  private constructor(port: () => number) {
    this.#port = port;
  }

  /** `port` is asked for each connection. */
  static async listen(port: () => number): Promise<CutProxy> {
    const proxy = new CutProxy(port);
    await new Promise<void>((resolve) => proxy.#server.listen(0, '127.0.0.1', resolve));
    return proxy;
  }

  get url(): string {
    return `nats://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  /** Ends every connection at once. */
  cut(): void {
    for (const socket of this.#sockets) socket.destroy();
  }

  #join(socket: Socket): void {
    if (this.isCut) {
      socket.destroy();
      return;
    }
    const upstream = connect(this.#port(), '127.0.0.1');
    upstream.on('data', (data) => {
      if (!this.losesAnswers) socket.write(data);
    });
    socket.on('data', (data) => upstream.write(data));
    for (const [one, other] of [
      [socket, upstream],
      [upstream, socket],
    ] as const) {
      this.#sockets.add(one);
      one.setNoDelay(true);
      one.on('error', () => undefined);
      one.on('close', () => {
        this.#sockets.delete(one);
        other.destroy();
      });
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.cut();
    await new Promise((resolve) => this.#server.close(resolve));
  }
}
