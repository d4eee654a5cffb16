/** Whether this process listens to stop files, interrupts and polite signals. */
export class Responsiveness {
  #deafUntil = 0;

  /** Null: for the rest of this process. */
  stopListening(milliseconds: number | null): void {
    this.#deafUntil = milliseconds === null ? Infinity : performance.now() + milliseconds;
  }

  get deaf(): boolean {
    return performance.now() < this.#deafUntil;
  }
}
