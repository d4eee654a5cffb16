import { setTimeout as pause } from 'node:timers/promises';

const EVERY_MS = 5;

/** Asks a daemon something small, one request after the other, and counts the answers. */
export class Prober {
  answers = 0;
  /** The longest that a request waited, for people who look at figures; no test judges it. */
  slowestMs = 0;
  readonly #url: string;
  readonly #asking: Promise<void>;
  #isOver = false;

  constructor(url: string) {
    this.#url = url;
    this.#asking = this.#ask();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#isOver = true;
    await this.#asking;
  }

  /** Runs something of the daemon's; gives what it gives, and how many answers came meanwhile. */
  async during<Result>(act: () => Promise<Result>): Promise<{ result: Result; answers: number }> {
    this.slowestMs = 0;
    const before = this.answers;
    const result = await act();
    return { result, answers: this.answers - before };
  }

  async #ask(): Promise<void> {
    while (!this.#isOver) {
      const beganAt = performance.now();
      // Idle while the test itself was at work, the connection may have been closed.
      const answer = await fetch(`${this.#url}/healthz`).catch(() => null);
      if (answer?.status === 200) this.answers += 1;
      this.slowestMs = Math.max(this.slowestMs, performance.now() - beganAt);
      await pause(EVERY_MS);
    }
  }
}
