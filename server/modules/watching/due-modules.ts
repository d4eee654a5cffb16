/**
 * Which directories to read next, and when: soon after a hint, once more a moment later, and never
 * more often than every two seconds, however many hints there are.
 */
import type { Clock, Timer } from '../../lib/clock.ts';

/** What a change consists of arrives within this time: a new directory, then its files. */
const SETTLE_MS = 200;
const PAUSE_MS = 2_000;

interface Due {
  atMs: number;
  /** The one more reading after that of a hint. */
  isLast: boolean;
}

export class DueModules {
  readonly #clock: Clock;
  readonly #act: (paths: string[]) => void;
  readonly #due = new Map<string, Due>();
  readonly #readMs = new Map<string, number>();
  readonly #polled = new Set<string>();
  #timer: { atMs: number; timer: Timer } | null = null;
  #disposed = false;

  constructor({ clock, act }: { clock: Clock; act: (paths: string[]) => void }) {
    this.#clock = clock;
    this.#act = act;
  }

  hint(path: string): void {
    const now = this.#clock.monotonic();
    const atMs = Math.max(now + SETTLE_MS, (this.#readMs.get(path) ?? -Infinity) + PAUSE_MS);
    const known = this.#due.get(path);
    if (known !== undefined && known.atMs <= atMs) known.isLast = false;
    else this.#set(path, { atMs, isLast: false });
  }

  /** Read it once more after that time. */
  later(path: string, delayMs: number): void {
    if (this.#due.has(path)) return;
    this.#set(path, { atMs: this.#clock.monotonic() + delayMs, isLast: true });
  }

  /** It is read at every poll until `calm`. */
  poll(path: string): void {
    this.#polled.add(path);
  }

  pollNow(): void {
    for (const path of this.#polled) this.hint(path);
  }

  /** After everything was read. */
  calm(): void {
    const now = this.#clock.monotonic();
    this.#polled.clear();
    for (const [path, atMs] of this.#readMs) if (now - atMs > PAUSE_MS) this.#readMs.delete(path);
  }

  dispose(): void {
    this.#disposed = true;
    this.#timer?.timer.cancel();
  }

  #set(path: string, due: Due): void {
    this.#due.set(path, due);
    this.#arm(due.atMs);
  }

  #arm(atMs: number): void {
    if (this.#disposed || (this.#timer !== null && this.#timer.atMs <= atMs)) return;
    this.#timer?.timer.cancel();
    const delayMs = Math.max(0, atMs - this.#clock.monotonic());
    this.#timer = { atMs, timer: this.#clock.after(delayMs, () => this.#run()) };
  }

  #run(): void {
    this.#timer = null;
    const now = this.#clock.monotonic();
    const ready = [...this.#due].filter(([, { atMs }]) => atMs <= now);
    for (const [path, { isLast }] of ready) {
      this.#due.delete(path);
      this.#readMs.set(path, now);
      if (!isLast) this.later(path, PAUSE_MS);
    }
    const next = Math.min(...[...this.#due.values()].map(({ atMs }) => atMs));
    if (next !== Infinity) this.#arm(next);
    if (ready.length > 0) this.#act(ready.map(([path]) => path));
  }
}
