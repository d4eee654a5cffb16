/** Moves through the events of a run: plays, steps and jumps. */
import { replayDelayMs, type Speed } from './replay.ts';
import type { RunLog } from './run-log.svelte.ts';

export class ReplayPlayer {
  /** Events shown. */
  position = $state(0);
  isPlaying = $state(false);
  speed = $state<Speed>(4);

  readonly #log: RunLog;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(log: RunLog) {
    this.#log = log;
  }

  get length(): number {
    return this.#log.events.length;
  }

  /** From the beginning again, once it is at its end. */
  play(): void {
    if (this.position >= this.length) this.position = 0;
    this.isPlaying = true;
    this.#schedule();
  }

  pause(): void {
    this.isPlaying = false;
    clearTimeout(this.#timer);
  }

  /** Goes there and stays there. */
  jump(position: number): void {
    this.pause();
    this.position = Math.min(this.length, Math.max(0, position));
  }

  step(by: 1 | -1): void {
    this.jump(this.position + by);
  }

  setSpeed(speed: Speed): void {
    this.speed = speed;
    if (!this.isPlaying) return;
    clearTimeout(this.#timer);
    this.#schedule();
  }

  #schedule(): void {
    const delayMs = replayDelayMs(this.#log.events, this.position, this.speed);
    this.#timer = setTimeout(() => this.#advance(), delayMs);
  }

  #advance(): void {
    if (this.position < this.length) this.position += 1;
    if (this.position >= this.length) this.pause();
    else this.#schedule();
  }
}
