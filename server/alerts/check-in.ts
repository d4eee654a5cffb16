/**
 * Calls a URL while all is well, so that a service on another machine raises the alarm when the calls
 * stop: nothing here can report that the daemon, its machine or its network is gone.
 */
import type { PreflightCheck } from '../../shared/schema/model.ts';
import type { Clock, Timer } from '../lib/clock.ts';
import { messageOf } from '../lib/app-error.ts';
import type { Log } from '../lib/log.ts';
import { sendRequest } from './sending/send-request.ts';

export interface CheckInOptions {
  /** Null: not set up, never called. */
  url: string | null;
  everyMs: number;
  clock: Clock;
  logger: Log;
  /** The daemon's version. */
  version: string;
  /** Why not all is well; null when it is. Throws what its storage throws. */
  trouble: () => string | null;
}

export class CheckIn {
  readonly #options: CheckInOptions;
  readonly #stopping = new AbortController();
  #timer: Timer | null = null;
  #current: Promise<void> = Promise.resolve();
  /** Why the last call was not made or not taken; null before the first and after a good one. */
  #problem: string | null = null;

  constructor(options: CheckInOptions) {
    this.#options = options;
    if (options.url !== null) this.#call(options.url);
  }

  /** Null when it is not set up. */
  check(): PreflightCheck | null {
    const { url, everyMs } = this.#options;
    if (url === null) return null;
    // A person with the whole URL could keep the alarm silent.
    const { host } = new URL(url);
    if (this.#problem === null) {
      const detail = `${host}, every ${Math.round(everyMs / 1000)} s`;
      return { name: 'check_in', ok: true, detail, fix: null };
    }
    const detail = `check-in at ${host}: ${this.#problem}`;
    const fix = 'Fix what it names, or correct LOOPWATCH_CHECK_IN_URL and restart the daemon.';
    return { name: 'check_in', ok: false, detail, fix };
  }

  async dispose(): Promise<void> {
    this.#stopping.abort();
    this.#timer?.cancel();
    await this.#current;
  }

  #call(url: string): void {
    this.#current = this.#attempt(url).then((problem) => {
      if (this.#stopping.signal.aborted) return;
      this.#report(problem);
      const { clock, everyMs } = this.#options;
      this.#timer = clock.after(everyMs, () => this.#call(url));
    });
  }

  /** Never rejects. Returns why it failed. */
  async #attempt(url: string): Promise<string | null> {
    const { clock, version } = this.#options;
    const trouble = this.#trouble();
    if (trouble !== null) return `not called: ${trouble}`;
    const request = { method: 'GET' as const, url, headers: {}, body: '' };
    const { signal } = this.#stopping;
    const outcome = await sendRequest(request, {
      clock,
      userAgent: `loopwatch/${version}`,
      signal,
    });
    return outcome.ok ? null : outcome.error;
  }

  #trouble(): string | null {
    try {
      return this.#options.trouble();
    } catch (thrown) {
      return messageOf(thrown);
    }
  }

  #report(problem: string | null): void {
    const { logger } = this.#options;
    if (problem === this.#problem) return;
    this.#problem = problem;
    if (problem === null) logger.info('check-in works again');
    else logger.warn({ problem }, 'check-in failed');
  }
}
