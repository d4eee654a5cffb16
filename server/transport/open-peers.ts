/**
 * The peers of one server, and their pings. Each has its own moment in the interval, so that
 * thousands are never pinged at once.
 */
import { CloseCode } from '../../shared/rules/wire.ts';
import { KEPT_READINGS, openFileLimit } from '../lib/open-files.ts';

const PING_INTERVAL_MS = 20_000;
const MAX_UNANSWERED = 2;
/** The moments in an interval. */
const MOMENTS = 20;

export interface OpenPeer {
  /** Pings without an answer. */
  unanswered: number;
  ping(): void;
  close(code: number, reason: string): void;
  /** Ends it at once; data already in the kernel still arrives. */
  cut(): void;
}

const MAX_SOCKETS = 10_000;
/** File descriptors reserved for the work itself: terminals, signals, /proc. */
const FILES_KEPT = 64;

export class OpenPeers<Member extends OpenPeer> {
  readonly #moments = Array.from({ length: MOMENTS }, () => new Set<Member>());
  readonly #everyMs: number;
  #timer: NodeJS.Timeout | null = null;
  #added = 0;
  #current = 0;

  /** `pingIntervalMs`: how often each is pinged. */
  constructor(pingIntervalMs = PING_INTERVAL_MS) {
    this.#everyMs = pingIntervalMs / MOMENTS;
  }

  get size(): number {
    return this.#moments.reduce((sum, { size }) => sum + size, 0);
  }

  *[Symbol.iterator](): Generator<Member> {
    for (const members of this.#moments) yield* members;
  }

  add(peer: Member): void {
    this.#moments[this.#added % MOMENTS]?.add(peer);
    this.#added += 1;
    this.#timer ??= setInterval(() => this.#pingNext(), this.#everyMs);
  }

  /** Stops pinging once the last peer has been removed. */
  remove(peer: Member): void {
    for (const members of this.#moments) if (members.delete(peer)) break;
    if (this.#timer === null || this.size > 0) return;
    clearInterval(this.#timer);
    this.#timer = null;
  }

  #pingNext(): void {
    const members = this.#moments[this.#current] ?? [];
    this.#current = (this.#current + 1) % MOMENTS;
    // A copy: a peer that is cut leaves the list.
    for (const peer of [...members]) {
      if (peer.unanswered >= MAX_UNANSWERED) {
        peer.close(CloseCode.noPong, 'no_pong');
        peer.cut();
      } else {
        peer.unanswered += 1;
        peer.ping();
      }
    }
  }
}

/**
 * How many sockets an engine serves at a time. A connection beyond that is cut at once; existing
 * ones, and the work, continue.
 */
export function maxSockets(): number {
  const files = openFileLimit();
  if (files === null) return MAX_SOCKETS;
  const kept = FILES_KEPT + Math.ceil(files / KEPT_READINGS);
  return Math.min(MAX_SOCKETS, Math.max(1, files - kept));
}
