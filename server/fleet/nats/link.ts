/**
 * The connection of a host to the NATS server of its fleet: one at a time, replaced for ever. The
 * client's own reconnecting is off, because it keeps what was sent meanwhile and sends it later.
 */
import {
  type JetStreamClient,
  jetstream,
  type JetStreamManager,
  jetstreamManager,
} from '@nats-io/jetstream';
import { connect, type ConnectionOptions, type NatsConnection } from '@nats-io/transport-node';
import { AppError, messageOf } from '../../lib/app-error.ts';
import type { Clock, Timer } from '../../lib/clock.ts';
import type { Log } from '../../lib/log.ts';
import { within } from '../../lib/within.ts';
import { hasMajority, isInCluster, NoMajority } from './cluster.ts';

/** Of a connection attempt; a server behind a dead network answers nothing at all. */
const DIAL_MS = 5_000;
/** Twice this without an answer, and the connection counts as lost. */
const PING_EVERY_MS = 10_000;
const FLUSH_MS = 1_000;
const FIRST_DELAY_MS = 250;
/** A fleet that healed shows it within five seconds. An attempt costs a millisecond. */
const MAX_DELAY_MS = 4_000;
/** Elections in a cluster take seconds; the others call a host unreachable after three. */
const MAX_MISSED = 2;

/** An open connection, and the parts of it that need no further request to the server. */
export interface Live {
  readonly nc: NatsConnection;
  readonly js: JetStreamClient;
  readonly jsm: JetStreamManager;
}

export type LinkProblem = 'disconnected' | 'not_allowed' | 'no_majority';

/** Milliseconds before the attempt after `failures` failed ones; `chance` is from 0 to 1. */
export function dialDelay(failures: number, chance: number): number {
  const most = Math.min(MAX_DELAY_MS, FIRST_DELAY_MS * 2 ** Math.min(failures, 10));
  return most * (0.5 + chance / 2);
}

export class NatsLink {
  readonly #options: ConnectionOptions;
  readonly #clock: Clock;
  readonly #log: Log;
  readonly #listeners = new Set<(live: Live | null) => void>();
  #live: Live | null = null;
  #problem: LinkProblem = 'disconnected';
  #failures = 0;
  #missed = 0;
  /** Why this host ends a connection that still works. */
  #leaving: NoMajority | null = null;
  #timer: Timer | null = null;
  #dialing: Promise<void> | null = null;
  #closed = false;

  constructor(options: { connection: ConnectionOptions; clock: Clock; log: Log }) {
    this.#options = {
      ...options.connection,
      reconnect: false,
      timeout: DIAL_MS,
      pingInterval: PING_EVERY_MS,
      maxPingOut: 2,
    };
    this.#clock = options.clock;
    this.#log = options.log;
  }

  /** Null while there is a connection. */
  get problem(): LinkProblem | null {
    return this.#live === null ? this.#problem : null;
  }

  /** Throws `host_unreachable` when there is no connection. */
  get live(): Live {
    if (this.#live !== null) return this.#live;
    throw new AppError(
      'host_unreachable',
      'this host is not connected to its fleet; it connects again as soon as the NATS server answers',
    );
  }

  /** Called with each new connection, and with null when it is lost. */
  onChange(listener: (live: Live | null) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /**
   * Whether the server took what this host says of itself. A cluster that does not has no majority
   * here: then it counts as lost, so that all that was missed is made up for once it is back.
   */
  took(isTaken: boolean): void {
    this.#missed = isTaken ? 0 : this.#missed + 1;
    const nc = this.#live?.nc;
    if (this.#missed < MAX_MISSED || nc === undefined || !isInCluster(nc)) return;
    this.#leaving = new NoMajority();
    void nc.close();
  }

  /** Resolves after the first attempt, also when it failed; later ones follow on their own. */
  async open(): Promise<void> {
    this.#dialing = this.#dial();
    await this.#dialing;
  }

  async close(): Promise<void> {
    this.#closed = true;
    this.#timer?.cancel();
    await this.#dialing;
    const nc = this.#live?.nc;
    // What was sent last leaves before the connection ends, if it still leads anywhere.
    if (nc !== undefined) await within(this.#clock, FLUSH_MS, nc.flush());
    await nc?.close();
    this.#set(null);
  }

  async #dial(): Promise<void> {
    this.#timer = null;
    let live: Live;
    try {
      live = await this.#connect();
    } catch (error) {
      this.#failed(error);
      return;
    }
    const { nc } = live;
    if (this.#closed) return nc.close();
    this.#failures = 0;
    this.#missed = 0;
    void nc.closed().then((error) => this.#lost(nc, error));
    void this.#report(nc);
    if (nc.isClosed()) return;
    this.#set(live);
  }

  async #connect(): Promise<Live> {
    const nc = await connect(this.#options);
    const jsm = await jetstreamManager(nc, { checkAPI: false });
    if (await hasMajority(nc, jsm)) return { nc, js: jetstream(nc), jsm };
    await nc.close();
    throw new NoMajority();
  }

  #failed(error: unknown): void {
    const problem = problemOf(error);
    // Once for each cause, not for each attempt of a night.
    if (this.#failures === 0 || problem !== this.#problem) {
      this.#log.warn({ problem, error: messageOf(error) }, 'cannot connect to the fleet');
    }
    this.#problem = problem;
    this.#failures += 1;
    this.#again();
  }

  #lost(nc: NatsConnection, closedBy: unknown): void {
    const error = this.#leaving ?? closedBy;
    this.#leaving = null;
    this.#problem = problemOf(error);
    if (!this.#closed) this.#log.warn({ error: error && messageOf(error) }, 'lost the fleet');
    if (this.#live?.nc === nc) this.#set(null);
    this.#again();
  }

  #again(): void {
    if (this.#closed) return;
    this.#timer = this.#clock.after(dialDelay(this.#failures, Math.random()), () => {
      this.#dialing = this.#dial();
    });
  }

  /** Rights that the server refused: a mistake in its settings that no request reports. */
  async #report(nc: NatsConnection): Promise<void> {
    for await (const status of nc.status()) {
      if (status.type === 'error') this.#log.warn({ error: status.error.message }, 'fleet refused');
    }
  }

  #set(live: Live | null): void {
    if (this.#live === live) return;
    this.#live = live;
    for (const listener of [...this.#listeners]) listener(live);
  }
}

function problemOf(error: unknown): LinkProblem {
  if (error instanceof NoMajority) return 'no_majority';
  const text = error instanceof Error ? error.name + error.message : '';
  return /authorization|authentication/i.test(text) ? 'not_allowed' : 'disconnected';
}
