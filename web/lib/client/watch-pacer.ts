/**
 * Which screens the page watches. What it needs may change with every frame of a scroll; only
 * lasting needs are sent, and slowly enough: the daemon closes a connection that sends more than 50
 * frames in a second.
 */
import type { EventRecord } from '$shared/schema/events/events.ts';

/** A screen needed for less than this was only scrolled past and is not watched. */
const SETTLE_MS = 60;
/** Per round; 30 in any second, which leaves room for acknowledgements. */
const FRAMES_PER_ROUND = 6;
const ROUND_MS = 250;

export interface PacerOptions {
  send: (frame: { type: 'watch' | 'unwatch'; session: string }) => void;
  /** Calls `act` once after the delay; call the result to cancel. */
  after?: (delayMs: number, act: () => void) => () => void;
}

function afterDelay(delayMs: number, act: () => void): () => void {
  const timer = setTimeout(act, delayMs);
  return () => clearTimeout(timer);
}

export class WatchPacer {
  readonly #send: PacerOptions['send'];
  readonly #after: NonNullable<PacerOptions['after']>;
  /** How many parts of the page need each session. */
  readonly #wanted = new Map<string, number>();
  /** The sessions the daemon was asked to send. */
  readonly #watched = new Set<string>();
  /** Already watched, but a new part of the page needs a full snapshot. */
  readonly #renewed = new Set<string>();
  /** Not watched until they are open again. */
  readonly #closed = new Set<string>();
  #isOpen = false;
  #cancel: (() => void) | null = null;

  constructor({ send, after = afterDelay }: PacerOptions) {
    this.#send = send;
    this.#after = after;
  }

  /** One more part of the page needs the session, which exists. */
  watch(session: string): void {
    this.#closed.delete(session);
    this.#wanted.set(session, (this.#wanted.get(session) ?? 0) + 1);
    this.#renewed.add(session);
    this.#plan(SETTLE_MS);
  }

  /** One part fewer needs it; the last one ends the watch. */
  unwatch(session: string): void {
    const others = (this.#wanted.get(session) ?? 1) - 1;
    if (others > 0) {
      this.#wanted.set(session, others);
    } else {
      this.#wanted.delete(session);
      this.#renewed.delete(session);
    }
    this.#plan(SETTLE_MS);
  }

  /** A new connection, without any watch yet. */
  open(): void {
    this.#isOpen = true;
    this.#watched.clear();
    this.#closed.clear();
    this.#plan(0);
  }

  /** The connection ended, and every watch with it. */
  close(): void {
    this.#isOpen = false;
    this.#watched.clear();
    this.#cancel?.();
    this.#cancel = null;
  }

  /** The session closed: the daemon dropped its watch. */
  sessionClosed(session: string | undefined): void {
    if (session === undefined) return;
    this.#watched.delete(session);
    this.#closed.add(session);
  }

  /** A session that closed is not watched until it is open again. */
  follow({ type, session }: EventRecord): void {
    if (session === undefined) return;
    if (type === 'session.closed') this.sessionClosed(session);
    else if (type === 'session.created' && this.#closed.delete(session)) this.#plan(SETTLE_MS);
  }

  #plan(delayMs: number): void {
    if (!this.#isOpen || this.#cancel !== null) return;
    this.#cancel = this.#after(delayMs, () => {
      this.#cancel = null;
      this.#round();
    });
  }

  #round(): void {
    const stale = [...this.#watched].filter((session) => !this.#wanted.has(session));
    const fresh = [...this.#wanted.keys()].filter(
      (session) =>
        !this.#closed.has(session) && (!this.#watched.has(session) || this.#renewed.has(session)),
    );
    const due = [...stale, ...fresh].slice(0, FRAMES_PER_ROUND);
    for (const session of due) {
      this.#renewed.delete(session);
      const type = this.#wanted.has(session) ? 'watch' : 'unwatch';
      if (type === 'watch') this.#watched.add(session);
      else this.#watched.delete(session);
      this.#send({ type, session });
    }
    // Also when nothing is left: the next round must keep this distance.
    if (due.length > 0) this.#plan(ROUND_MS);
  }
}
