/** The real wire: the daemon's connections on a real engine, readers on real sockets. */
import type { EventLog } from '../../../server/events/event-log.ts';
import type { Clock } from '../../../server/lib/clock.ts';
import { HOME_IDENTITY } from '../../../server/people/identity.ts';
import {
  headerValues,
  type Peer,
  type Transport,
  type TransportServer,
} from '../../../server/transport/transport.ts';
import { Connection, type ConnectionOptions } from '../../../server/ws/connection.ts';
import { type ServerFrame } from '../../../shared/schema/events/protocol.ts';
import { CloseCode } from '../../../shared/rules/wire.ts';
import { RawSocket } from '../../stress/raw-socket.ts';
import { until } from '../house/until.ts';
import { eventsOnly, type Line, type LineEnd, activeSubscriptions, type Wire } from './wire.ts';

const SWITCHING = 101;

export class SocketWire implements Wire {
  readonly #engine: Transport;
  readonly #lines = new Set<SocketLine>();
  /** Frames that the daemon received on each line, by the line's token. */
  readonly #heard = new Map<string, number>();
  /**
   * Lines that the daemon has closed, also those that have not read the close: it receives no more
   * of them.
   */
  readonly #closed = new Set<string>();
  #connected = 0;
  #options: ConnectionOptions | null = null;
  #server: TransportServer | null = null;

  constructor(engine: Transport) {
    this.#engine = engine;
  }

  async serve(log: EventLog, clock: Clock): Promise<void> {
    await this.close();
    const publish = (topic: string, frames: readonly string[]) =>
      this.#server?.publish(topic, frames);
    const options = eventsOnly(log, clock, publish);
    this.#options = options;
    this.#server = await this.#engine.listen(
      { host: '127.0.0.1', port: 0 },
      {
        gate: () => null,
        fetch: () => Promise.resolve(new Response(null, { status: 404 })),
        upgrade: (head) => {
          const line = headerValues(head, 'authorization')[0] ?? '';
          const seen = () => void this.#heard.set(line, (this.#heard.get(line) ?? 0) + 1);
          const open = (peer: Peer) => {
            const connection = new Connection(peer, HOME_IDENTITY, { ...options, seen });
            const closed = () => {
              this.#closed.add(line);
              connection.closed();
            };
            return {
              closed,
              message: (text: string) => connection.message(text),
              bytes: (bytes: Uint8Array) => connection.bytes(bytes),
              drained: () => connection.drained(),
            };
          };
          return { accept: true, open };
        },
      },
    );
  }

  connect(end: LineEnd): Line {
    this.#connected += 1;
    const token = String(this.#connected);
    const port = this.#server?.port ?? 0;
    const line = new SocketLine({ port, token }, end, () => this.#lines.delete(line));
    this.#lines.add(line);
    return line;
  }

  async turn(): Promise<void> {
    await new Promise((resolve) => setImmediate(resolve));
  }

  async heard(): Promise<void> {
    // A line that does not read still sends, and its frames are received.
    await until('the daemon has heard every frame', () =>
      [...this.#lines].every(
        ({ isCut, sent, token }) =>
          isCut ||
          this.#closed.has(`Bearer ${token}`) ||
          (this.#heard.get(`Bearer ${token}`) ?? 0) >= sent,
      ),
    );
  }

  async settle(): Promise<void> {
    // Answered after everything that was sent before; its consequences come before the second round.
    for (let round = 0; round < 2; round += 1) {
      await Promise.all([...this.#lines].map(async (line) => line.echo()));
    }
  }

  subscriptions(): number {
    return this.#options === null ? 0 : activeSubscriptions(this.#options);
  }

  async close(): Promise<void> {
    for (const line of this.#lines) line.flow();
    await this.#server?.close(CloseCode.restart, 'restart');
    this.#server = null;
    await until('every line has ended', () => this.#lines.size === 0);
    await until('no subscription is left', () => this.subscriptions() === 0);
  }
}

class SocketLine implements Line {
  readonly token: string;
  /** Frames it sent. */
  sent = 0;
  isCut = false;
  readonly #socket: RawSocket;
  readonly #finished: Promise<void>;
  #isStalled = false;
  #echoed: () => void = () => undefined;

  constructor(to: { port: number; token: string }, end: LineEnd, onClosed: () => void) {
    this.token = to.token;
    this.#socket = new RawSocket({
      ...to,
      onText: (text) => {
        if (this.isCut) return;
        const frame = JSON.parse(text) as ServerFrame;
        if (frame.type === 'pong') this.#echoed();
        else end.received(frame, text);
      },
    });
    this.#finished = this.#socket.ended.then(({ code }) => {
      onClosed();
      if (this.isCut) return;
      // A line not yet let in when the daemon closed gets no close frame.
      const wasLetIn = this.#socket.status === SWITCHING;
      end.closed(code ?? (wasLetIn ? 0 : CloseCode.restart));
    });
  }

  send(frame: object): void {
    this.sent += 1;
    this.#socket.send(frame);
  }

  stall(): void {
    this.#isStalled = true;
    this.#socket.stall();
  }

  /** A real socket cannot deliver by frames: any number lets everything that is there arrive. */
  flow(frames?: number): void {
    if (frames === undefined) this.#isStalled = false;
    this.#socket.resume();
    if (this.#isStalled) setImmediate(() => this.#isStalled && this.#socket.stall());
  }

  cut(): void {
    this.isCut = true;
    void this.#socket.cut();
  }

  /** Resolves when the daemon has answered, or at once when the line does not read. */
  async echo(): Promise<void> {
    if (this.#isStalled || this.isCut) return;
    const echoed = new Promise<void>((resolve) => (this.#echoed = resolve));
    this.send({ type: 'ping' });
    await Promise.race([echoed, this.#finished]);
  }
}
