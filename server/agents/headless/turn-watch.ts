/** When to check a turn: on hints of the file system, and at a slow poll without them. */
import { type FSWatcher, watch } from 'node:fs';
import type { Clock, Timer } from '../../lib/clock.ts';

/** Minimum pause between two checks, however fast the client writes. */
const HINT_PAUSE_MS = 20;

export class TurnWatch {
  readonly #pollMs: number;
  readonly #clock: Clock;
  readonly #check: () => Promise<void>;
  #watcher: FSWatcher | null = null;
  #timer: Timer | null = null;
  /** A check is running, or the pause after it. */
  #held = false;
  #hinted = false;
  #over = false;

  /** `check` must not reject; calls never overlap. */
  constructor(pollMs: number, clock: Clock, check: () => Promise<void>) {
    this.#pollMs = pollMs;
    this.#clock = clock;
    this.#check = check;
  }

  start(directory: string): void {
    try {
      this.#watcher = watch(directory, () => this.hint());
      this.#watcher.on('error', () => this.#watcher?.close());
    } catch {
      // Out of watches, or no directory: polling is enough.
    }
    this.hint();
  }

  /** Something may have changed. */
  hint(): void {
    this.#hinted = true;
    if (!this.#held && !this.#over) void this.#checkNow();
  }

  stop(): void {
    this.#over = true;
    this.#watcher?.close();
    this.#timer?.cancel();
  }

  async #checkNow(): Promise<void> {
    this.#timer?.cancel();
    this.#held = true;
    this.#hinted = false;
    await this.#check();
    if (!this.#isOver()) this.#timer = this.#clock.after(HINT_PAUSE_MS, () => this.#release());
  }

  #release(): void {
    this.#held = false;
    if (this.#hinted) void this.#checkNow();
    else this.#timer = this.#clock.after(this.#pollMs, () => this.hint());
  }

  #isOver(): boolean {
    return this.#over;
  }
}
