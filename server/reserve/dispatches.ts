/** The dispatches whose use a reading of a window may not include: at work, or ended after it. */

export class Dispatches {
  /** Subjects at work, and whether their dispatch was seen to begin. */
  readonly #open = new Map<string, boolean>();
  /** Wall times in milliseconds, oldest first. */
  #ended: number[] = [];

  /** A dispatch of that subject begins, so that the one before has ended. */
  began(ref: string, nowMs: number): void {
    if (this.#open.get(ref) === true) this.#ended.push(nowMs);
    this.#open.set(ref, true);
  }

  /** Those that are at work now; the others have ended. `keptMs`: older ends are forgotten. */
  atWork(refs: readonly string[], nowMs: number, keptMs: number): void {
    const working = new Set(refs);
    for (const ref of this.#open.keys()) {
      if (working.has(ref)) continue;
      this.#open.delete(ref);
      this.#ended.push(nowMs);
    }
    for (const ref of working) if (!this.#open.has(ref)) this.#open.set(ref, false);
    this.#ended = this.#ended.filter((endedMs) => endedMs > nowMs - keptMs);
  }

  /**
   * Before `ref` is dispatched: its own last one counts unless its own client wrote the reading, the one
   * that would begin does not.
   */
  notIncluded(ref: string, { readAtMs, isOwn }: { readAtMs: number; isOwn: boolean }): number {
    const others = [...this.#open.keys()].filter((each) => each !== ref).length;
    const own = !isOwn && this.#open.get(ref) === true ? 1 : 0;
    return others + own + this.#ended.filter((endedMs) => endedMs > readAtMs).length;
  }
}
