/** Keeps the history of the connection and reports its changes. */
import type { LinkStatus } from './link-status.ts';
import { initialLink, nextLink, type LinkFact, type LinkUpdate } from './link-history.ts';

export interface LinkReporterOptions {
  onStatus: (status: LinkStatus) => void;
  /** Called when the page is up to date again after a break. */
  onUpdate: (update: LinkUpdate) => void;
}

export class LinkReporter {
  readonly #options: LinkReporterOptions;
  #history = initialLink(Date.now());
  /** When the socket and the poll are tried next, in milliseconds; null while being tried. */
  #due: { socket: number | null; poll: number | null } = { socket: null, poll: null };
  #isStopped = false;

  constructor(options: LinkReporterOptions) {
    this.#options = options;
  }

  get state(): LinkStatus['state'] {
    return this.#history.status.state;
  }

  report(fact: LinkFact): void {
    if (this.#isStopped) return;
    const before = this.#history.status;
    const { history, update } = nextLink(this.#history, fact, Date.now());
    this.#history = history;
    if (history.status !== before) this.#options.onStatus(history.status);
    if (update !== null) this.#options.onUpdate(update);
  }

  /** Sets when one of the two is tried next, and reports the earlier time. */
  waitFor(due: { socket: number | null } | { poll: number | null }): void {
    this.#due = { ...this.#due, ...due };
    const { socket, poll } = this.#due;
    // A working poll is not an attempt.
    const isTrying = this.state === 'offline' && (socket === null || poll === null);
    const times = [socket, poll].filter((at) => at !== null);
    this.report({
      kind: 'waits',
      until: isTrying || times.length === 0 ? null : Math.min(...times),
    });
  }

  stop(): void {
    this.#isStopped = true;
  }
}
