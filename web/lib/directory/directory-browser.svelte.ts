/** What can be chosen while a path is typed: the directories around it, read as far as they are needed. */
import { asRequestError, type RequestError } from '$lib/client/request-error.ts';
import type { Rest } from '$lib/client/rest.ts';
import type { Directory, DirectoryListing } from '$shared/schema/directories.ts';
import { fitting, splitPath, trimSlashes } from './typed-path.ts';

/** Who types does not want each letter answered. */
const TYPING_MS = 150;
const MAX_RECENT = 4;
/** Enough runs to find a few directories among them. */
const RUNS = '50';

/** As long as a name can be. */
const MAX_MATCH = 255;

interface Wish {
  base: string | null;
  hidden: boolean;
  match: string;
}

export class DirectoryBrowser {
  listing = $state.raw<DirectoryListing | null>(null);
  /** Task directories of earlier loops, the newest first. */
  recent = $state.raw<readonly string[]>([]);
  error = $state.raw<RequestError | null>(null);
  isLoading = $state(false);
  hidden = $state(false);

  readonly #rest: Rest;
  #typed = $state('');
  /** What the listing answers; also while it is on its way. */
  #asked: string | null = null;
  /** A directory that does not fit into one answer. */
  #hugeBase: string | null = null;
  /** The directory that the listing is of, as it was typed. */
  #base = $state.raw<string | null>(null);
  #timer: ReturnType<typeof setTimeout> | undefined;

  /** What fits the typed path, without what was left out on purpose. */
  readonly options = $derived.by(() => {
    const { base, filter } = splitPath(this.#typed);
    if (this.listing === null || this.#base !== base) return [];
    return fitting(this.listing.directories, filter);
  });

  /** The directory that is typed, once it is known; null while it is not, or where there is none. */
  readonly chosen: Directory | null = $derived.by(() => {
    const path = trimSlashes(this.#typed);
    if (this.listing === null || path === '') return null;
    if (this.#base === path) return this.listing.here;
    return this.listing.directories.find((directory) => directory.path === path) ?? null;
  });

  constructor(rest: Rest) {
    this.#rest = rest;
  }

  /** Reads what one may begin with: the directories of earlier loops. */
  async readRecent(): Promise<void> {
    const { runs } = await this.#rest.call('listPastLoops', { query: { limit: RUNS } });
    const paths = runs
      .filter(({ agent }) => agent !== 'stand-in')
      .flatMap(({ task_dir }) => task_dir ?? []);
    const each = paths.filter((path, place) => paths.indexOf(path) === place);
    this.recent = each.slice(0, MAX_RECENT);
  }

  /** Takes what stands in the field; reads what is missing of it, soon. */
  show(typed: string, afterMs = TYPING_MS): void {
    this.#typed = typed;
    clearTimeout(this.#timer);
    const wish = this.#wish();
    if (JSON.stringify(wish) === this.#asked) return;
    this.#timer = setTimeout(() => void this.#read(wish), afterMs);
  }

  /** Shows or leaves out what begins with a dot. */
  setHidden(hidden: boolean): void {
    this.hidden = hidden;
    this.show(this.#typed, 0);
  }

  close(): void {
    clearTimeout(this.#timer);
    this.#asked = null;
  }

  /** One answer holds all of most directories; of a huge one it is asked for what fits alone. */
  #wish(): Wish {
    const { base, filter } = splitPath(this.#typed);
    const hidden = this.hidden || filter.startsWith('.');
    const match = base !== null && base === this.#hugeBase ? filter.slice(0, MAX_MATCH) : '';
    return { base, hidden, match };
  }

  async #read(wish: Wish): Promise<void> {
    const asked = JSON.stringify(wish);
    this.#asked = asked;
    this.isLoading = true;
    try {
      const { base, match } = wish;
      const query: Record<string, string> =
        base === null ? {} : { path: base, match, hidden: String(wish.hidden) };
      const listing = await this.#rest.call('listDirectories', { query });
      // Somebody typed on meanwhile.
      if (this.#asked !== asked) return;
      this.listing = listing;
      this.#base = base;
      this.error = null;
      if (listing.cut) this.#hugeBase = base;
    } catch (thrown) {
      if (this.#asked !== asked) return;
      this.listing = null;
      this.error = asRequestError(thrown);
    }
    this.isLoading = false;
    this.show(this.#typed, 0);
  }
}
