/**
 * Which screens the daemon is asked for. What the page wants may change with every frame of a scroll;
 * the daemon hears only of what lasts, and never more than it listens to: it cuts a connection that
 * sends more than 50 frames in a second.
 */
import type { EventRecord } from '$shared/schema/events.ts';

/** What is wanted for less than this is not asked for: it was scrolled past. */
const SETTLE_MS = 60;
/** At most this many frames in each round; 30 in any second, which leaves room for acknowledgements. */
const FRAMES_PER_ROUND = 6;
const ROUND_MS = 250;

export interface PacerOptions {
  send: (frame: { type: 'watch' | 'unwatch'; session: string }) => void;
  /** Calls back once after a delay in milliseconds; the result prevents it. */
  after?: (delayMs: number, act: () => void) => () => void;
}

function afterDelay(delayMs: number, act: () => void): () => void {
  const timer = setTimeout(act, delayMs);
  return () => clearTimeout(timer);
}

export class WatchPacer {
  readonly #send: PacerOptions['send'];
  readonly #after: NonNullable<PacerOptions['after']>;
  /** How many parts of the page want a session. */
  readonly #wanted = new Map<string, number>();
  /** What the daemon sends, as far as it was told. */
  readonly #told = new Set<string>();
  /** Sent already, but somebody new needs a whole picture. */
  readonly #renewed = new Set<string>();
  /** Not asked for until they are back. */
  readonly #gone = new Set<string>();
  #isOpen = false;
  #cancel: (() => void) | null = null;

  constructor({ send, after = afterDelay }: PacerOptions) {
    this.#send = send;
    this.#after = after;
  }

  /** One more part of the page wants the session, which it knows to be there. */
  watch(session: string): void {
    this.#gone.delete(session);
    this.#wanted.set(session, (this.#wanted.get(session) ?? 0) + 1);
    this.#renewed.add(session);
    this.#plan(SETTLE_MS);
  }

  /** One part fewer wants it; the last one ends the watch. */
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

  /** A connection is there: it knows of no watch yet. */
  open(): void {
    this.#isOpen = true;
    this.#told.clear();
    this.#gone.clear();
    this.#plan(0);
  }

  /** The connection has ended, and every watch with it. */
  close(): void {
    this.#isOpen = false;
    this.#told.clear();
    this.#cancel?.();
    this.#cancel = null;
  }

  /** The session has closed: the daemon dropped its watch and knows it no more. */
  gone(session: string | undefined): void {
    if (session === undefined) return;
    this.#told.delete(session);
    this.#gone.add(session);
  }

  /** Hears of what happened to sessions: one that closed is not asked for until it is open again. */
  follow({ type, session }: EventRecord): void {
    if (session === undefined) return;
    if (type === 'session.closed') this.gone(session);
    else if (type === 'session.created' && this.#gone.delete(session)) this.#plan(SETTLE_MS);
  }

  #plan(delayMs: number): void {
    if (!this.#isOpen || this.#cancel !== null) return;
    this.#cancel = this.#after(delayMs, () => {
      this.#cancel = null;
      this.#round();
    });
  }

  #round(): void {
    const stale = [...this.#told].filter((session) => !this.#wanted.has(session));
    const fresh = [...this.#wanted.keys()].filter(
      (session) =>
        !this.#gone.has(session) && (!this.#told.has(session) || this.#renewed.has(session)),
    );
    const due = [...stale, ...fresh].slice(0, FRAMES_PER_ROUND);
    for (const session of due) {
      this.#renewed.delete(session);
      const type = this.#wanted.has(session) ? 'watch' : 'unwatch';
      if (type === 'watch') this.#told.add(session);
      else this.#told.delete(session);
      this.#send({ type, session });
    }
    // Also when nothing is left: the next round must not follow closer than this.
    if (due.length > 0) this.#plan(ROUND_MS);
  }
}
