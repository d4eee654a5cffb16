/**
 * Watches one task directory for `.auto-signal`. The system's watch is only a hint; the file itself
 * is read on every hint and on every poll of the owner. Each change is judged once, the last state
 * of a burst always.
 */
import { type FSWatcher, watch } from 'node:fs';
import { join } from 'node:path';
import {
  type AutoSignal,
  SIGNAL_FILE,
  STOP_FILE,
} from '../../../shared/schema/loops/auto-signal.ts';
import type { SignalRejection } from '../../../shared/schema/loops/auto-events.ts';
import type { Clock, Timer } from '../../lib/clock.ts';
import { markOf } from '../../lib/files/hostile-file.ts';
import { type ReadSignal, readSignal, type SignalBounds } from './read-signal.ts';

/** At most ten reads a second: a flood costs no more than that, and the newest state wins. */
const MIN_INTERVAL_MS = 100;
/** When a file that is not JSON is read again: a program may write it without renaming. */
const TORN_RETRIES_MS = [50, 200, 1_000];

/** Each returns whether the verdict was stored; if not, the same change is judged again. */
export interface SignalHandler {
  accepted(signal: AutoSignal, mark: string): boolean;
  rejected(cause: SignalRejection, detail: string, mark: string): boolean;
  /** The stop file may have changed. */
  stopHinted(): void;
  /** Called once when the system offers no watch: then only the owner's poll finds changes. */
  unwatched(error: unknown): void;
}

export class SignalSource {
  readonly #path: string;
  readonly #bounds: () => SignalBounds;
  readonly #clock: Clock;
  readonly #handler: SignalHandler;
  #judged: string;
  #judgedText: string | null = null;
  #polledAt = -Infinity;
  #tornMark: string | null = null;
  #tornReads = 0;
  #timer: Timer | null = null;
  #watcher: FSWatcher | null = null;
  #closed = false;

  constructor(options: {
    taskDir: string;
    /** Called for each read: the start of the loop is by the current wall clock. */
    bounds: () => SignalBounds;
    /** The change judged last, so that a restart does not judge it again. */
    judged: string;
    clock: Clock;
    handler: SignalHandler;
  }) {
    this.#path = join(options.taskDir, SIGNAL_FILE);
    this.#bounds = options.bounds;
    this.#judged = options.judged;
    this.#clock = options.clock;
    this.#handler = options.handler;
    this.#openWatch(options.taskDir);
  }

  /** Polls now, or as soon as the rate allows. */
  hint(): void {
    if (this.#closed || this.#timer !== null) return;
    const wait = this.#polledAt + MIN_INTERVAL_MS - this.#clock.monotonic();
    if (wait <= 0) this.poll();
    else this.#pollAfter(wait);
  }

  /** Reads the file at once and judges what changed. */
  poll(): void {
    if (this.#closed) return;
    const mark = markOf(this.#path);
    // Half of it was read, and a timer is set for the rest.
    if (this.#timer !== null && mark === this.#tornMark) return;
    this.#timer?.cancel();
    this.#timer = null;
    if (mark === null || mark === this.#judged) return;
    this.#polledAt = this.#clock.monotonic();
    const read = readSignal(this.#path, this.#bounds());
    if (read.kind === 'absent') return;
    if (read.kind === 'rejected' && read.torn && this.#waitForRest(read.mark)) return;
    this.#tornMark = null;
    // Not stored: the owner's poll retries it. An immediate retry would loop.
    if (!this.#judge(read)) return;
    this.#judged = read.mark;
    // A write during the read raised its hint too early.
    this.hint();
  }

  close(): void {
    this.#closed = true;
    this.#timer?.cancel();
    this.#watcher?.close();
  }

  #openWatch(taskDir: string): void {
    try {
      this.#watcher = watch(taskDir, { persistent: false }, (_, name) => {
        if (name === null || name === SIGNAL_FILE) this.hint();
        if (name === null || name === STOP_FILE) this.#handler.stopHinted();
      });
      // Out of watches, or the directory was removed: polling continues.
      this.#watcher.on('error', (error) => {
        this.#watcher?.close();
        this.#handler.unwatched(error);
      });
    } catch (error) {
      this.#watcher = null;
      this.#handler.unwatched(error);
    }
  }

  #judge(read: Exclude<ReadSignal, { kind: 'absent' }>): boolean {
    if (read.kind === 'rejected') return this.#handler.rejected(read.cause, read.detail, read.mark);
    // The same text again is no news, whichever file it is in.
    if (read.text === this.#judgedText) return true;
    const kept = this.#handler.accepted(read.signal, read.mark);
    if (kept) this.#judgedText = read.text;
    return kept;
  }

  #waitForRest(mark: string): boolean {
    if (mark !== this.#tornMark) {
      this.#tornMark = mark;
      this.#tornReads = 0;
    }
    const delay = TORN_RETRIES_MS[this.#tornReads];
    if (delay === undefined) return false;
    this.#tornReads += 1;
    this.#pollAfter(delay);
    return true;
  }

  #pollAfter(delayMs: number): void {
    this.#timer = this.#clock.after(delayMs, () => {
      this.#timer = null;
      this.poll();
    });
  }
}
