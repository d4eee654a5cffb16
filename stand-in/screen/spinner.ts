/** Time and glyph of the current turn, and what the client is doing in it. */
import type { BoxView } from './prompt-box.ts';

const FRAME_MS = 160;

export class Spinner {
  readonly #onFrame: () => void;
  #turn: { verb: string; since: number; frozenAt: number | null } | null = null;
  #timer: NodeJS.Timeout | undefined;
  #pause: { word: string | null } | null = null;

  constructor(onFrame: () => void) {
    this.#onFrame = onFrame;
  }

  /** Begins a turn, or names what the turn is doing now. */
  show(verb: string): void {
    this.#turn = { verb, since: this.#turn?.since ?? performance.now(), frozenAt: null };
    this.#timer ??= setInterval(this.#onFrame, FRAME_MS);
    this.#onFrame();
  }

  /** Stops all movement on the screen until the next `show`. */
  freeze(): void {
    if (this.#turn) this.#turn.frozenAt ??= performance.now();
    this.#stopTimer();
  }

  /** Removes the turn from the screen until `resume`, with an optional word in the footer in its place. */
  pause(word: string | null): void {
    this.#pause = { word };
    this.#stopTimer();
    this.#onFrame();
  }

  resume(): void {
    this.#pause = null;
    if (this.#turn) this.show(this.#turn.verb);
  }

  /** What the footer shows instead of the mode while the turn is paused. */
  get word(): string | null {
    return this.#pause?.word ?? null;
  }

  /** Ends the turn; returns its length in milliseconds. */
  end(): number {
    const elapsed = this.#turn ? performance.now() - this.#turn.since : 0;
    this.#turn = null;
    this.#stopTimer();
    return elapsed;
  }

  get view(): BoxView['work'] {
    if (this.#turn === null || this.#pause !== null) return null;
    const elapsedMs = (this.#turn.frozenAt ?? performance.now()) - this.#turn.since;
    return { verb: this.#turn.verb, elapsedMs, frame: Math.floor(elapsedMs / FRAME_MS) };
  }

  #stopTimer(): void {
    clearInterval(this.#timer);
    this.#timer = undefined;
  }
}
