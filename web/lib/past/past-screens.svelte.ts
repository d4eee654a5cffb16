/**
 * What one session showed: which pictures are kept, and the one that is looked at. Reads the list
 * when something happened and when somebody reaches for it; a picture only when it is looked at.
 */
import { untrack } from 'svelte';
import { asRequestError } from '$lib/client/request-error.ts';
import { Attempt } from '$lib/state/attempt.svelte.ts';
import { coalesceReads } from '$lib/state/coalesce.ts';
import type { Feed } from '$lib/state/feed.svelte.ts';
import type { EventRecord } from '$shared/schema/events.ts';
import type { PastScreen, ScreenEntry, ScreensPage } from '$shared/schema/past-screen.ts';
import { findShot } from './moments.ts';

const PAGE = 500;
/** The daemon gathers pictures for a second before it writes them. */
const READ_DELAY_MS = 1_500;
/** Pictures kept in the page: going back and forth asks for nothing twice. */
const REMEMBERED = 60;

export class PastScreens {
  /** Oldest first; null before the first answer. */
  shots = $state.raw<readonly ScreenEntry[] | null>(null);
  /** Older ones than the first are kept. */
  hasOlder = $state(false);
  /** The picture that is looked at; null: the present. */
  chosen = $state.raw<ScreenEntry | null>(null);
  /** The event it was chosen by, when it was. */
  chosenEvent = $state<number | null>(null);
  /** The last picture that arrived; it may not be the chosen one yet. */
  screen = $state.raw<PastScreen | null>(null);
  /** Why what was asked for is not shown. */
  problem = $state<string | null>(null);

  isLive = $derived(this.chosen === null);
  isLoading = $derived(this.chosen !== null && this.screen?.number !== this.chosen.number);

  readonly reading = new Attempt();
  readonly #feed: Feed;
  readonly #session: string;
  // Nothing is shown out of it.
  // eslint-disable-next-line svelte/prefer-svelte-reactivity
  readonly #remembered = new Map<number, PastScreen>();
  readonly #touch: (key: string) => void;
  #isFetching = false;
  #followed: ScreenEntry | null = null;

  constructor(feed: Feed, session: string) {
    this.#feed = feed;
    this.#session = session;
    this.#touch = coalesceReads(
      READ_DELAY_MS,
      async () => this.#page(),
      (_, page) => this.#take(page),
    );
  }

  /** Reads the list, and again after what happens in the session; the result ends it. */
  start(): () => void {
    // What is read now must not have it started again.
    untrack(() => void this.read());
    return this.#feed.listen(({ session }) => {
      if (session === this.#session) this.#touch(session);
    });
  }

  async read(): Promise<void> {
    await this.reading.run(async () => this.#take(await this.#page()));
  }

  async readOlder(): Promise<void> {
    const first = this.shots?.[0];
    if (first === undefined || !this.hasOlder) return;
    await this.reading.run(async () => {
      const page = await this.#page(first.number);
      this.shots = [...page.screens.toReversed(), ...(this.shots ?? [])];
      this.hasOlder = page.next !== null;
    });
  }

  /** Without a present: looks at the newest picture, and at newer ones until somebody chooses. */
  followNewest(): void {
    const newest = this.shots?.at(-1);
    const isChosen = this.chosen !== null && this.chosen !== this.#followed;
    if (newest === undefined || isChosen || newest.number === this.chosen?.number) return;
    this.choose(newest);
    this.#followed = newest;
  }

  /** Looks at a picture of the list. */
  choose(shot: ScreenEntry): void {
    this.chosen = shot;
    this.chosenEvent = null;
    this.problem = null;
    void this.#fetch();
  }

  /** Looks at the picture that led to an event. */
  async chooseEvent(event: EventRecord): Promise<void> {
    // What happened just now has a picture that this list does not know.
    if (event.seq > (this.shots?.at(-1)?.seq ?? 0)) await this.read();
    const shot = findShot(this.shots ?? [], event);
    if (shot === null) {
      this.problem = 'No screen is kept for that moment.';
      return;
    }
    this.choose(shot);
    this.chosenEvent = event.seq;
  }

  /** Back to the present. */
  goLive(): void {
    this.chosen = null;
    this.chosenEvent = null;
    this.problem = null;
  }

  async #page(before?: number): Promise<ScreensPage> {
    const query = { limit: String(PAGE), ...(before === undefined ? {} : { before: `${before}` }) };
    return this.#feed.rest.call('listScreens', { session: this.#session, query });
  }

  /** What was read before and is older than this page stays. */
  #take({ screens, next }: ScreensPage): void {
    const newest = screens.toReversed();
    const first = newest[0]?.number ?? Infinity;
    const older = (this.shots ?? []).filter(({ number }) => number < first);
    this.hasOlder = older.length === 0 ? next !== null : this.hasOlder;
    this.shots = newest.length === 0 ? [] : [...older, ...newest];
  }

  /** One question at a time: of a scrubber that is dragged, the last place counts. */
  async #fetch(): Promise<void> {
    if (this.#isFetching) return;
    this.#isFetching = true;
    try {
      while (this.chosen !== null && this.screen?.number !== this.chosen.number) {
        this.screen = await this.#snapshot(this.chosen.number);
      }
    } catch (thrown) {
      this.problem = asRequestError(thrown).message;
    } finally {
      this.#isFetching = false;
    }
  }

  async #snapshot(number: number): Promise<PastScreen> {
    const known = this.#remembered.get(number);
    if (known !== undefined) return known;
    const call = { session: this.#session, at: String(number) };
    const screen = await this.#feed.rest.call('getPastScreen', call);
    this.#remembered.set(number, screen);
    for (const oldest of this.#remembered.keys()) {
      if (this.#remembered.size <= REMEMBERED) break;
      this.#remembered.delete(oldest);
    }
    return screen;
  }
}
