/** The edge under stress: what a daemon exposes to the network, without sessions and loops. */
import { readdirSync } from 'node:fs';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { setTimeout as pause } from 'node:timers/promises';
import { errorResponse } from '../../server/api/error-response.ts';
import { gate, gatePolicy } from '../../server/api/gate.ts';
import { type Database, openDatabase } from '../../server/db/database.ts';
import { EventLog } from '../../server/events/event-log.ts';
import type { Log } from '../../server/lib/log.ts';
import { Access } from '../../server/people/access.ts';
import type { Identity } from '../../server/people/identity.ts';
import { PersonStore } from '../../server/people/person-store.ts';
import { People } from '../../server/people/people.ts';
import { Attachments } from '../../server/sessions/showing/attachments.ts';
import { ScreenFeed } from '../../server/sessions/showing/screen-feed.ts';
import type { Transport, TransportServer } from '../../server/transport/transport.ts';
import { Connection, OpenConnections } from '../../server/ws/connection.ts';
import { EventChannels } from '../../server/ws/event-channels.ts';
import { ScreenChannels } from '../../server/ws/screen-channels.ts';
import { authorizeUpgrade } from '../../server/ws/upgrade.ts';
import { CloseCode } from '../../shared/rules/wire.ts';
import type { EdgeCommand, EdgeReady, EdgeRow, EdgeSetup, EdgeState } from './edge-protocol.ts';
import { freePort } from './free-port.ts';
import { JumpClock } from './jump-clock.ts';
import { numberedEvent } from './numbered-event.ts';

const TOKEN = 'stress'.repeat(8);
const LAG_RESOLUTION_MS = 5;
const KEEP_ALL = { days: 7, maxEvents: 10_000_000 };

/** A log that counts its listeners. */
class CountedLog extends EventLog {
  listeners = 0;

  override listen(listener: () => void): () => void {
    const stop = super.listen(listener);
    let listens = true;
    this.listeners += 1;
    return () => {
      if (listens) this.listeners -= 1;
      listens = false;
      stop();
    };
  }
}

export class Edge {
  readonly #clock = new JumpClock();
  readonly #lag = monitorEventLoopDelay({ resolution: LAG_RESOLUTION_MS });
  readonly #database: Database;
  readonly #log: CountedLog;
  readonly #channels: EventChannels;
  readonly #listen: (port: number) => Promise<TransportServer>;
  #server: TransportServer | null = null;

  static async open(setup: EdgeSetup, engine: Transport): Promise<Edge> {
    const edge = new Edge(setup, engine);
    // Engine `uws` cannot take a port again at once when the system chose it.
    edge.#server = await edge.#listen(await freePort());
    edge.#lag.enable();
    return edge;
  }

  private constructor({ home, pingIntervalMs }: EdgeSetup, engine: Transport) {
    const clock = this.#clock;
    this.#database = openDatabase(home);
    this.#log = new CountedLog({ database: this.#database, clock, retention: KEEP_ALL });
    const log = this.#log;
    const people = new People({ log, store: new PersonStore(this.#database), clock, logger: LOUD });
    const access = new Access({ token: TOKEN, people, clock });
    const publish = (topic: string, frames: readonly string[]) =>
      this.#server?.publish(topic, frames);
    const seen = (identity: Identity) => access.seen(identity);
    this.#channels = new EventChannels(log, publish);
    const connection = {
      channels: this.#channels,
      clock,
      version: 'stress',
      seen,
      ...withoutTerminals(clock, publish),
    };
    this.#listen = async (port) => {
      let policy = gatePolicy(port, [], false);
      const server = await engine.listen(
        { host: '127.0.0.1', port },
        {
          gate(head) {
            const refusal = gate(head, policy);
            return refusal === null ? null : errorResponse(refusal, LOUD);
          },
          fetch: () => Promise.resolve(new Response(null, { status: 404 })),
          upgrade(head) {
            try {
              const identity = authorizeUpgrade(head, access);
              return { accept: true, open: (peer) => new Connection(peer, identity, connection) };
            } catch (error) {
              return { accept: false, response: errorResponse(error, LOUD) };
            }
          },
        },
        { pingIntervalMs },
      );
      policy = gatePolicy(server.port, [], false);
      return server;
    };
  }

  get ready(): EdgeReady {
    return { port: this.#server?.port ?? 0, token: TOKEN, epoch: this.#log.epoch };
  }

  async append(how: Extract<EdgeCommand, { do: 'append' }>): Promise<void> {
    const padding = 'x'.repeat(how.paddingBytes);
    for (let turn = 0; turn < how.turns; turn += 1) {
      const from = this.#log.head;
      this.#log.write((append) => {
        for (let n = 1; n <= how.perTurn; n += 1) append(numberedEvent(from + n, padding));
      });
      await pause(how.everyMs);
    }
  }

  jump(ms: number): void {
    this.#clock.jump(ms);
  }

  async restart(): Promise<void> {
    const { port } = this.ready;
    await this.#server?.close(CloseCode.restart, 'restart');
    this.#server = await this.#listen(port);
  }

  rows(): EdgeRow[] {
    const all = this.#database.raw.prepare('SELECT seq, type, session FROM events ORDER BY seq');
    return all.raw().all() as EdgeRow[];
  }

  state(): EdgeState {
    const lagP99Ms = Math.max(0, this.#lag.percentile(99) / 1e6 - LAG_RESOLUTION_MS);
    this.#lag.reset();
    globalThis.gc?.();
    const { channels, subscriptions } = this.#channels.stats();
    const { replaying, live, paused, ended } = subscriptions;
    const { heapUsed, rss } = process.memoryUsage();
    return {
      head: this.#log.head,
      listeners: this.#log.listeners,
      channels,
      subscribers: replaying + live + paused + ended,
      paused,
      timers: this.#clock.waiting,
      openFiles: readdirSync('/proc/self/fd').length,
      heapBytes: heapUsed,
      rssBytes: rss,
      lagP99Ms,
    };
  }

  async close(): Promise<void> {
    this.#lag.disable();
    await this.#server?.close(CloseCode.restart, 'restart');
    this.#database.close();
  }
}

/** Nothing logs here unless something is wrong. */
const LOUD: Log = { info: () => undefined, warn: console.error, error: console.error };

function withoutTerminals(
  clock: JumpClock,
  publish: (topic: string, frames: readonly string[]) => void,
) {
  const none = () => Promise.reject(new Error('there are no terminals here'));
  const open = () => {
    throw new Error('there are no terminals here');
  };
  return {
    screens: new ScreenChannels(new ScreenFeed({ tap: none, capture: none, clock }), publish),
    attachments: new Attachments({ displays: { open }, terminals: { resize: none }, clock }),
    hasSession: () => false,
    connections: new OpenConnections(),
  };
}
