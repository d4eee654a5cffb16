/**
 * Writes snapshots with the lowest priority: compressed on another thread, many in one transaction.
 * A slow or full disk costs snapshots, which are counted, and never the supervision.
 */
import type { ScreenMoment } from '../../../shared/schema/past-screen.ts';
import type { Clock, Timer } from '../../lib/clock.ts';
import type { Log } from '../../lib/log.ts';
import { keyMoment } from './screen-moment.ts';
import { type NewScreen, packSnapshot, packSnapshotNow, type ScreenStore } from './screen-store.ts';
import { type ScreenBounds, screensToDrop } from './screens-to-drop.ts';

/** Ordinary snapshots of all sessions are batched for this long: one flush to disk for all. */
const GATHER_MS = 1_000;
/** Snapshots waiting for the disk; more are not held in memory. */
const MAX_WAITING = 200;
const BATCH = 50;
/** The whole daemon waits for a transaction: after a slow one the writer pauses. */
const SLOW_MS = 250;
const REST_TIMES = 20;
/** After a failed write. */
const PAUSE_MS = 60_000;
/** For all sessions together; above this the oldest are removed until there is room again. */
const MAX_TOTAL_BYTES = 64 * 1024 * 1024;
const ROOM_SHARE = 0.9;
/** Snapshots written for a session between two checks of its bounds. */
const TRIM_EVERY = 25;
const FIRST_TO_GO = 2_000;

/** A kept snapshot; its number is known once it is written. */
export interface KeptSnapshot extends NewScreen {
  number: number | null;
  /** It could not be written, and never will be. */
  isLost: boolean;
}

export interface ScreenWriterOptions {
  store: ScreenStore;
  clock: Clock;
  logger: Log;
  bounds: ScreenBounds;
  isOpen: (session: string) => boolean;
}

export class ScreenWriter {
  readonly #options: ScreenWriterOptions;
  readonly #written = new Map<string, number>();
  readonly #marked = new Set<KeptSnapshot>();
  #waiting: KeptSnapshot[] = [];
  #timer: Timer | null = null;
  #isWriting = false;
  #pausedUntil = -Infinity;
  #restsUntil = -Infinity;
  #bytes: number | null = null;
  #lost = 0;

  constructor(options: ScreenWriterOptions) {
    this.#options = options;
  }

  /** Snapshots that should have been kept and were not. */
  get lost(): number {
    return this.#lost;
  }

  /** Of all snapshots. */
  get bytes(): number {
    this.#bytes ??= this.#options.store.totalBytes();
    return this.#bytes;
  }

  /** Written soon or, with `atOnce`, as soon as possible. */
  add(snapshot: KeptSnapshot, atOnce: boolean): void {
    if (this.#isPaused() || this.#waiting.length >= MAX_WAITING) return this.#lose([snapshot]);
    this.#waiting.push(snapshot);
    if (atOnce) void this.#write();
    else this.#soon();
  }

  /** A snapshot that is already kept belongs to this moment too. */
  mark(snapshot: KeptSnapshot, moment: ScreenMoment): void {
    const key = keyMoment(snapshot.moment, moment);
    if (key === null || key === snapshot.moment) return;
    snapshot.moment = key;
    // One that is not written yet is written with its moment.
    if (snapshot.number === null) return;
    this.#marked.add(snapshot);
    this.#soon();
  }

  /** The session was closed: stop counting for it. */
  forget(session: string): void {
    this.#written.delete(session);
  }

  /** Removes what exceeds a bound, of every session. */
  prune(): void {
    this.#attempt([], () => {
      for (const session of this.#options.store.sessions()) this.#trim(session);
      this.#makeRoom();
    });
  }

  /** Writes what is pending, now: the daemon ends. */
  end(): void {
    this.#timer?.cancel();
    const waiting = this.#waiting;
    this.#waiting = [];
    const packed = waiting.map(({ snapshot }) => packSnapshotNow(snapshot));
    this.#store(waiting, packed);
    this.#storeMarks();
  }

  #soon(): void {
    this.#timer ??= this.#options.clock.after(GATHER_MS, () => void this.#write());
  }

  async #write(): Promise<void> {
    this.#timer?.cancel();
    this.#timer = null;
    if (this.#isWriting) return;
    const { clock } = this.#options;
    const restMs = this.#restsUntil - clock.monotonic();
    if (restMs > 0) {
      this.#timer = clock.after(restMs, () => void this.#write());
      return;
    }
    this.#isWriting = true;
    try {
      while (this.#waiting.length > 0 && this.#restsUntil <= clock.monotonic()) {
        // If the daemon ends before it is compressed, it is still waiting and written then.
        const batch = this.#waiting.slice(0, BATCH);
        const packed = await Promise.all(batch.map(({ snapshot }) => packSnapshot(snapshot)));
        if (this.#waiting[0] !== batch[0]) return;
        this.#waiting = this.#waiting.slice(batch.length);
        this.#store(batch, packed);
      }
      this.#storeMarks();
    } finally {
      this.#isWriting = false;
    }
    if (this.#waiting.length > 0) this.#soon();
  }

  #store(batch: readonly KeptSnapshot[], packed: readonly Buffer[]): void {
    if (batch.length === 0) return;
    if (this.#isPaused()) return this.#lose(batch);
    this.#attempt(batch, () => {
      const { store } = this.#options;
      for (const [index, snapshot] of batch.entries()) {
        const content = packed[index] ?? Buffer.alloc(0);
        this.#bytes = this.bytes + content.length;
        snapshot.number = store.insert(snapshot, content);
        const written = (this.#written.get(snapshot.session) ?? 0) + 1;
        this.#written.set(snapshot.session, written % TRIM_EVERY);
        if (written >= TRIM_EVERY) this.#trim(snapshot.session);
      }
      if (this.bytes > MAX_TOTAL_BYTES) this.#makeRoom();
    });
  }

  #storeMarks(): void {
    const marked = [...this.#marked];
    this.#marked.clear();
    if (marked.length === 0 || this.#isPaused()) return;
    this.#attempt([], () => {
      for (const { number, moment } of marked) {
        if (number !== null && moment !== null) this.#options.store.mark(number, moment);
      }
    });
  }

  #trim(session: string): void {
    const { store, bounds, clock, isOpen } = this.#options;
    const kept = store.kept(session);
    const dropped = screensToDrop(kept, clock.now(), bounds, isOpen(session));
    const numbers = new Set(dropped);
    this.#remove(kept.filter(({ number }) => numbers.has(number)));
  }

  #makeRoom(): void {
    while (this.bytes > ROOM_SHARE * MAX_TOTAL_BYTES) {
      const first = this.#options.store.firstToGo(FIRST_TO_GO);
      if (first.length === 0) return;
      let surplus = this.bytes - ROOM_SHARE * MAX_TOTAL_BYTES;
      this.#remove(first.filter(({ bytes }) => (surplus -= bytes) > -bytes));
    }
  }

  #remove(screens: readonly { number: number; bytes: number }[]): void {
    const before = this.bytes;
    this.#options.store.remove(screens.map(({ number }) => number));
    this.#bytes = before - screens.reduce((sum, { bytes }) => sum + bytes, 0);
  }

  /** Runs a write; after a failed or slow one the history pauses for a while. */
  #attempt(batch: readonly KeptSnapshot[], act: () => void): void {
    const { store, clock, logger } = this.#options;
    const begunMs = clock.monotonic();
    const before = this.#bytes;
    try {
      store.write(act);
    } catch (error) {
      for (const snapshot of batch) snapshot.number = null;
      this.#bytes = before;
      this.#pausedUntil = clock.monotonic() + PAUSE_MS;
      this.#lose(batch);
      logger.warn({ err: error, lost: this.#lost }, 'cannot store snapshots');
      return;
    }
    const tookMs = clock.monotonic() - begunMs;
    if (tookMs > SLOW_MS) this.#restsUntil = clock.monotonic() + REST_TIMES * tookMs;
  }

  #isPaused(): boolean {
    return this.#options.clock.monotonic() < this.#pausedUntil;
  }

  #lose(snapshots: readonly KeptSnapshot[]): void {
    for (const snapshot of snapshots) snapshot.isLost = true;
    this.#lost += snapshots.length;
  }
}
