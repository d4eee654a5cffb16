import { setTimeout as pause } from 'node:timers/promises';

const EVERY_MS = 5;

/** Sends small requests to a daemon, one after the other, and counts the answers. */
export class Prober {
  answers = 0;
  /** The longest that a request waited, for people who read the figures; no test judges it. */
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

  /** Runs an operation of the daemon; returns its result, and how many answers came during it. */
  async during<Result>(act: () => Promise<Result>): Promise<{ result: Result; answers: number }> {
    this.slowestMs = 0;
    const before = this.answers;
    const result = await act();
    return { result, answers: this.answers - before };
  }

  async #ask(): Promise<void> {
    while (!this.#isOver) {
      const beganAt = performance.now();
      // The connection may have been closed as idle while the test itself was busy.
      const answer = await fetch(`${this.#url}/healthz`).catch(() => null);
      if (answer?.status === 200) this.answers += 1;
      this.slowestMs = Math.max(this.slowestMs, performance.now() - beganAt);
      await pause(EVERY_MS);
    }
  }
}
