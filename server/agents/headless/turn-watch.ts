/** When to look at a turn again: hints of the file system, and a slow poll that needs none. */
import { type FSWatcher, watch } from 'node:fs';
import type { Clock, Timer } from '../../lib/clock.ts';

/** Between two looks at least, however fast the client writes. */
const HINT_PAUSE_MS = 20;

export class TurnWatch {
  readonly #pollMs: number;
  readonly #clock: Clock;
  readonly #look: () => Promise<void>;
  #watcher: FSWatcher | null = null;
  #timer: Timer | null = null;
  /** A look is under way, or the pause after it. */
  #held = false;
  #hinted = false;
  #over = false;

  /** `look` must not reject; it is never called before it is done. */
  constructor(pollMs: number, clock: Clock, look: () => Promise<void>) {
    this.#pollMs = pollMs;
    this.#clock = clock;
    this.#look = look;
  }

  start(directory: string): void {
    try {
      this.#watcher = watch(directory, () => this.hint());
      this.#watcher.on('error', () => this.#watcher?.close());
    } catch {
      // Out of watches, or no directory: the poll will do.
    }
    this.hint();
  }

  /** Something may have happened. */
  hint(): void {
    this.#hinted = true;
    if (!this.#held && !this.#over) void this.#lookNow();
  }

  stop(): void {
    this.#over = true;
    this.#watcher?.close();
    this.#timer?.cancel();
  }

  async #lookNow(): Promise<void> {
    this.#timer?.cancel();
    this.#held = true;
    this.#hinted = false;
    await this.#look();
    if (!this.#isOver()) this.#timer = this.#clock.after(HINT_PAUSE_MS, () => this.#release());
  }

  #release(): void {
    this.#held = false;
    if (this.#hinted) void this.#lookNow();
    else this.#timer = this.#clock.after(this.#pollMs, () => this.hint());
  }

  #isOver(): boolean {
    return this.#over;
  }
}
