/**
 * Waits for wall times last as long as before the clock was set back: the machine gets an input
 * with the difference first. Until that is stored the difference is kept and added up.
 */
import type { Clock } from '../lib/clock.ts';
import { SetBack } from '../lib/set-back.ts';

export class PendingSetBack<Input> {
  readonly #setBack: SetBack;
  readonly #toInput: (byMs: number) => Input;
  #ms = 0;
  #input: Input | null = null;

  /** `storedAtMs`: wall time at which the machine's state was stored. */
  constructor(clock: Clock, storedAtMs: number, toInput: (byMs: number) => Input) {
    this.#setBack = new SetBack(clock, storedAtMs);
    this.#toInput = toInput;
  }

  /** How far the wall clock was set back since the machine last learned of it. */
  ms(): number {
    this.#ms += this.#setBack.takeMs();
    return this.#ms;
  }

  /** The input that the machine must have before `input`; null for none. */
  before(input: Input): Input | null {
    if (input === this.#input) return null;
    const byMs = this.ms();
    this.#input = byMs === 0 ? null : this.#toInput(byMs);
    return this.#input;
  }

  /** The step that `input` led to is stored. */
  stored(input: Input): void {
    if (input === this.#input) this.#ms = 0;
  }
}
