/** A TCP proxy on the way to a server: tests cut it, hold it, make it slow, or let it lose answers. */
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';

export class CutProxy {
  readonly #server = createServer((socket) => this.#join(socket));
  readonly #sockets = new Set<Socket>();
  readonly #port: () => number;
  /** New connections are closed at once. */
  isCut = false;
  /** What the server answers is thrown away. */
  losesAnswers = false;
  /** What passes waits for this long, one piece after the other. */
  slowMs = 0;
  #isHeld = false;

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

  /** Connections stay open and nothing passes, as when a process between was stopped. */
  hold(): void {
    this.#isHeld = true;
    for (const socket of this.#sockets) socket.pause();
  }

  release(): void {
    this.#isHeld = false;
    for (const socket of this.#sockets) socket.resume();
  }

  #join(socket: Socket): void {
    if (this.isCut) {
      socket.destroy();
      return;
    }
    const upstream = connect(this.#port(), '127.0.0.1');
    const answer = this.#passing(socket);
    upstream.on('data', (data) => {
      if (!this.losesAnswers) answer(data);
    });
    socket.on('data', this.#passing(upstream));
    for (const [one, other] of [
      [socket, upstream],
      [upstream, socket],
    ] as const) {
      this.#sockets.add(one);
      one.setNoDelay(true);
      one.on('error', () => undefined);
      if (this.#isHeld) one.pause();
      one.on('close', () => {
        this.#sockets.delete(one);
        other.destroy();
      });
    }
  }

  /** One direction of a connection. */
  #passing(to: Socket): (data: Buffer) => void {
    let before: Promise<void> | null = null;
    return (data) => {
      if (this.slowMs === 0 && before === null) {
        to.write(data);
        return;
      }
      const passed: Promise<void> = (before ?? Promise.resolve())
        .then(async () => pause(this.slowMs))
        .then(() => {
          to.write(data);
          if (before === passed) before = null;
        });
      before = passed;
    };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.cut();
    await new Promise((resolve) => this.#server.close(resolve));
  }
}
