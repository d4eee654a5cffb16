/** Keeps the story of the connection and tells what changed in it. */
import type { LinkStatus } from './link-status.ts';
import { beginStory, continueStory, type LinkFact, type LinkNews } from './link-story.ts';

export interface LinkTellerOptions {
  onStatus: (status: LinkStatus) => void;
  /** Called when the page is up to date again after a break. */
  onNews: (news: LinkNews) => void;
}

export class LinkTeller {
  readonly #options: LinkTellerOptions;
  #story = beginStory(Date.now());
  /** When the socket and the poll are tried next, in milliseconds; null while one is under way. */
  #due: { socket: number | null; poll: number | null } = { socket: null, poll: null };
  #isStopped = false;

  constructor(options: LinkTellerOptions) {
    this.#options = options;
  }

  get state(): LinkStatus['state'] {
    return this.#story.status.state;
  }

  tell(fact: LinkFact): void {
    if (this.#isStopped) return;
    const before = this.#story.status;
    const { story, news } = continueStory(this.#story, fact, Date.now());
    this.#story = story;
    if (story.status !== before) this.#options.onStatus(story.status);
    if (news !== null) this.#options.onNews(news);
  }

  /** Takes when one of the two ways is tried next; tells when anything is. */
  waitFor(due: { socket: number | null } | { poll: number | null }): void {
    this.#due = { ...this.#due, ...due };
    const { socket, poll } = this.#due;
    // A poll that works is no try.
    const isTrying = this.state === 'offline' && (socket === null || poll === null);
    const times = [socket, poll].filter((at) => at !== null);
    this.tell({ kind: 'waits', until: isTrying || times.length === 0 ? null : Math.min(...times) });
  }

  stop(): void {
    this.#isStopped = true;
  }
}
