/**
 * The peers of one server, and the question each is asked again and again: are you there? Each has its
 * own moment in the interval, so that thousands are never asked in one go.
 */
import { CloseCode } from '../../shared/rules/wire.ts';
import { openFileLimit } from '../lib/open-files.ts';

const PING_INTERVAL_MS = 20_000;
const MAX_UNANSWERED = 2;
/** The moments in an interval. */
const TURNS = 20;

export interface OpenPeer {
  /** Pings it has left unanswered. */
  unanswered: number;
  ping(): void;
  close(code: number, reason: string): void;
  /** Ends it at once; what the kernel has taken still arrives. */
  cut(): void;
}

const MAX_SOCKETS = 10_000;
/** Of the files the process may open, what is kept for the work itself: terminals, signals, /proc. */
const FILES_KEPT = 64;

export class OpenPeers<Member extends OpenPeer> {
  readonly #turns = Array.from({ length: TURNS }, () => new Set<Member>());
  readonly #everyMs: number;
  #timer: NodeJS.Timeout | null = null;
  #added = 0;
  #turn = 0;

  /** Takes how often each is asked, in milliseconds. */
  constructor(pingIntervalMs = PING_INTERVAL_MS) {
    this.#everyMs = pingIntervalMs / TURNS;
  }

  get size(): number {
    return this.#turns.reduce((sum, { size }) => sum + size, 0);
  }

  *[Symbol.iterator](): Generator<Member> {
    for (const members of this.#turns) yield* members;
  }

  add(peer: Member): void {
    this.#turns[this.#added % TURNS]?.add(peer);
    this.#added += 1;
    this.#timer ??= setInterval(() => this.#askNext(), this.#everyMs);
  }

  /** Asks nobody any more once the last has gone. */
  remove(peer: Member): void {
    for (const members of this.#turns) if (members.delete(peer)) break;
    if (this.#timer === null || this.size > 0) return;
    clearInterval(this.#timer);
    this.#timer = null;
  }

  #askNext(): void {
    const members = this.#turns[this.#turn] ?? [];
    this.#turn = (this.#turn + 1) % TURNS;
    // A copy: who is given up leaves.
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
 * Gives how many sockets an engine serves at a time. Who comes when all are taken is cut at once; who
 * is here, and the work, goes on.
 */
export function maxSockets(): number {
  const files = openFileLimit();
  return files === null ? MAX_SOCKETS : Math.min(MAX_SOCKETS, Math.max(1, files - FILES_KEPT));
}
