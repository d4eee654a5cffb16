/** One listening engine, with application code a test decides on, and every peer it was given. */
import { WebSocket, type ClientOptions } from 'ws';
import { chooseTransport } from '../../../server/transport/choose-transport.ts';
import type {
  Peer,
  PeerHandler,
  RequestHead,
  TransportHandlers,
  TransportOptions,
  TransportServer,
} from '../../../server/transport/transport.ts';
import type { TransportName } from '../../../shared/schema/transport-name.ts';
import { until } from '../house/until.ts';

/** What the application received from one peer. */
export class SeenPeer implements PeerHandler {
  readonly peer: Peer;
  readonly received: (string | Uint8Array)[] = [];
  drains = 0;
  ends = 0;

  constructor(peer: Peer) {
    this.peer = peer;
  }

  message(text: string): void {
    this.received.push(text);
  }

  bytes(data: Uint8Array): void {
    this.received.push(data);
  }

  drained(): void {
    this.drains += 1;
  }

  closed(): void {
    this.ends += 1;
  }
}

/** The other side of a peer: what it got, in order. */
export class Client {
  readonly socket: WebSocket;
  readonly got: string[] = [];
  readonly closed: Promise<{ code: number; reason: string }>;

  constructor(url: string, protocols: string[] = [], options: ClientOptions = {}) {
    this.socket = new WebSocket(url, protocols, options);
    this.socket.on('message', (data) => this.got.push((data as Buffer).toString()));
    this.socket.on('error', () => undefined);
    this.closed = new Promise((resolve) => {
      this.socket.on('close', (code, reason) => resolve({ code, reason: reason.toString() }));
    });
  }
}

export class TransportRig {
  readonly heads: RequestHead[] = [];
  readonly asked: string[] = [];
  readonly peers: SeenPeer[] = [];
  readonly #clients: Client[] = [];
  #server: TransportServer | null = null;
  gate: (head: RequestHead) => Response | null = () => null;
  fetch: (request: Request) => Promise<Response> = async () => Promise.resolve(new Response('ok'));
  refuseUpgrade: (head: RequestHead) => Response | null = () => null;

  static async listen(
    engine: TransportName,
    address = { host: '127.0.0.1', port: 0 },
    options: TransportOptions = {},
  ): Promise<TransportRig> {
    const rig = new TransportRig();
    const transport = await chooseTransport(engine);
    const handlers: TransportHandlers = {
      gate: (head) => {
        rig.heads.push(head);
        rig.asked.push('gate');
        return rig.gate(head);
      },
      fetch: async (request) => {
        rig.asked.push('fetch');
        return rig.fetch(request);
      },
      upgrade: (head) => {
        rig.asked.push('upgrade');
        const response = rig.refuseUpgrade(head);
        if (response !== null) return { accept: false, response };
        return { accept: true, open: (peer) => rig.#open(peer) };
      },
    };
    rig.#server = await transport.listen(address, handlers, options);
    return rig;
  }

  get server(): TransportServer {
    if (this.#server === null) throw new Error('nothing listens');
    return this.#server;
  }

  get url(): string {
    return `http://127.0.0.1:${this.server.port}`;
  }

  /** A client and the application's side of it. */
  async connect(
    protocols: string[] = [],
    options: ClientOptions = {},
  ): Promise<{ client: Client; seen: SeenPeer }> {
    const count = this.peers.length;
    const client = new Client(`${this.url.replace('http', 'ws')}/ws`, protocols, options);
    this.#clients.push(client);
    const seen = await until('the peer', () => this.peers[count]);
    await until('the upgrade', () => client.socket.readyState === WebSocket.OPEN);
    return { client, seen };
  }

  #open(peer: Peer): SeenPeer {
    const seen = new SeenPeer(peer);
    this.peers.push(seen);
    return seen;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const { socket } of this.#clients) socket.terminate();
    await this.server.close(1001, '');
  }
}
