/** The options while a path is typed: the directories around it, read on demand. */
import { asRequestError, type RequestError } from '$lib/client/request-error.ts';
import type { Rest } from '$lib/client/rest.ts';
import type { Directory, DirectoryListing } from '$shared/schema/modules/directories.ts';
import { fitting, splitPath, trimSlashes } from './typed-path.ts';

/** Delay while typing, so that not every letter is a request. */
const TYPING_MS = 150;
const MAX_RECENT = 4;
/** Enough past loops to find a few directories among them. */
const RUNS = '50';

/** The longest possible name. */
const MAX_MATCH = 255;

interface ListRequest {
  base: string | null;
  hidden: boolean;
  match: string;
}

export class DirectoryBrowser {
  listing = $state.raw<DirectoryListing | null>(null);
  /** Task directories of earlier loops, newest first. */
  recent = $state.raw<readonly string[]>([]);
  error = $state.raw<RequestError | null>(null);
  isLoading = $state(false);
  hidden = $state(false);

  readonly #rest: Rest;
  #typed = $state('');
  /** The query of the listing, also while it is being read. */
  #requested: string | null = null;
  /** A directory that does not fit into one answer. */
  #hugeBase: string | null = null;
  /** The directory of the listing, as typed. */
  #base = $state.raw<string | null>(null);
  #timer: ReturnType<typeof setTimeout> | undefined;

  /** Matches of the typed path, without those hidden on purpose. */
  readonly options = $derived.by(() => {
    const { base, filter } = splitPath(this.#typed);
    if (this.listing === null || this.#base !== base) return [];
    return fitting(this.listing.directories, filter);
  });

  /** The typed directory; null while it is unknown or does not exist. */
  readonly chosen: Directory | null = $derived.by(() => {
    const path = trimSlashes(this.#typed);
    if (this.listing === null || path === '') return null;
    if (this.#base === path) return this.listing.here;
    return this.listing.directories.find((directory) => directory.path === path) ?? null;
  });

  constructor(rest: Rest) {
    this.#rest = rest;
  }

  /** Reads the directories of earlier loops as first suggestions. */
  async readRecent(): Promise<void> {
    const { runs } = await this.#rest.call('listPastLoops', { query: { limit: RUNS } });
    const paths = runs
      .filter(({ agent }) => agent !== 'stand-in')
      .flatMap(({ task_dir }) => task_dir ?? []);
    const each = paths.filter((path, place) => paths.indexOf(path) === place);
    this.recent = each.slice(0, MAX_RECENT);
  }

  /** Reads what is missing for the typed path, after a delay. */
  show(typed: string, afterMs = TYPING_MS): void {
    this.#typed = typed;
    clearTimeout(this.#timer);
    const request = this.#request();
    if (JSON.stringify(request) === this.#requested) return;
    this.#timer = setTimeout(() => void this.#read(request), afterMs);
  }

  /** Shows or hides names that begin with a dot. */
  setHidden(hidden: boolean): void {
    this.hidden = hidden;
    this.show(this.#typed, 0);
  }

  close(): void {
    clearTimeout(this.#timer);
    this.#requested = null;
  }

  /** One answer holds most directories in full; for a huge one only the matches are requested. */
  #request(): ListRequest {
    const { base, filter } = splitPath(this.#typed);
    const hidden = this.hidden || filter.startsWith('.');
    const match = base !== null && base === this.#hugeBase ? filter.slice(0, MAX_MATCH) : '';
    return { base, hidden, match };
  }

  async #read(request: ListRequest): Promise<void> {
    const requested = JSON.stringify(request);
    this.#requested = requested;
    this.isLoading = true;
    try {
      const { base, match } = request;
      const query: Record<string, string> =
        base === null ? {} : { path: base, match, hidden: String(request.hidden) };
      const listing = await this.#rest.call('listDirectories', { query });
      // The person has typed more.
      if (this.#requested !== requested) return;
      this.listing = listing;
      this.#base = base;
      this.error = null;
      if (listing.cut) this.#hugeBase = base;
    } catch (thrown) {
      if (this.#requested !== requested) return;
      this.listing = null;
      this.error = asRequestError(thrown);
    }
    this.isLoading = false;
    this.show(this.#typed, 0);
  }
}
