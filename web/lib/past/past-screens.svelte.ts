/**
 * The stored snapshots of one session, and the selected one. Reads the list after events and when
 * it is used; a snapshot only when it is selected.
 */
import { untrack } from 'svelte';
import { asRequestError } from '$lib/client/request-error.ts';
import { Attempt } from '$lib/state/attempt.svelte.ts';
import { coalesceReads } from '$lib/state/coalesce.ts';
import type { Feed } from '$lib/state/feed.svelte.ts';
import type { EventRecord } from '$shared/schema/events/events.ts';
import type { PastScreen, ScreenEntry, ScreensPage } from '$shared/schema/past-screen.ts';
import { findShot } from './moments.ts';

const PAGE = 500;
/** The daemon collects snapshots for a second before it writes them. */
const READ_DELAY_MS = 1_500;
/** Snapshots kept in the page, so that going back and forth reads nothing twice. */
const REMEMBERED = 60;

export class PastScreens {
  /** Oldest first; null before the first answer. */
  shots = $state.raw<readonly ScreenEntry[] | null>(null);
  /** The daemon has older ones than the first. */
  hasOlder = $state(false);
  /** The selected snapshot; null: the live screen. */
  chosen = $state.raw<ScreenEntry | null>(null);
  /** The event it was chosen by, if any. */
  chosenEvent = $state<number | null>(null);
  /** The last snapshot that arrived; it may not be the chosen one yet. */
  screen = $state.raw<PastScreen | null>(null);
  /** Why the requested snapshot is not shown. */
  problem = $state<string | null>(null);

  isLive = $derived(this.chosen === null);
  isLoading = $derived(this.chosen !== null && this.screen?.number !== this.chosen.number);

  readonly reading = new Attempt();
  readonly #feed: Feed;
  readonly #session: string;
  // Never rendered.
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

  /** Reads the list now and after events of the session; call the result to stop. */
  start(): () => void {
    // Untracked, so that this read does not restart the effect.
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

  /** Without a live screen: shows the newest snapshot, and newer ones until one is chosen. */
  followNewest(): void {
    const newest = this.shots?.at(-1);
    const isChosen = this.chosen !== null && this.chosen !== this.#followed;
    if (newest === undefined || isChosen || newest.number === this.chosen?.number) return;
    this.choose(newest);
    this.#followed = newest;
  }

  /** Selects a snapshot of the list. */
  choose(shot: ScreenEntry): void {
    this.chosen = shot;
    this.chosenEvent = null;
    this.problem = null;
    void this.#fetch();
  }

  /** Selects the snapshot that led to an event. */
  async chooseEvent(event: EventRecord): Promise<void> {
    // A very recent event has a snapshot that is not in the list yet.
    if (event.seq > (this.shots?.at(-1)?.seq ?? 0)) await this.read();
    const shot = findShot(this.shots ?? [], event);
    if (shot === null) {
      this.problem = 'No screen is kept for that moment.';
      return;
    }
    this.choose(shot);
    this.chosenEvent = event.seq;
  }

  /** Returns to the live screen. */
  goLive(): void {
    this.chosen = null;
    this.chosenEvent = null;
    this.problem = null;
  }

  async #page(before?: number): Promise<ScreensPage> {
    const query = { limit: String(PAGE), ...(before === undefined ? {} : { before: `${before}` }) };
    return this.#feed.rest.call('listScreens', { session: this.#session, query });
  }

  /** Keeps snapshots that are older than this page. */
  #take({ screens, next }: ScreensPage): void {
    const newest = screens.toReversed();
    const first = newest[0]?.number ?? Infinity;
    const older = (this.shots ?? []).filter(({ number }) => number < first);
    this.hasOlder = older.length === 0 ? next !== null : this.hasOlder;
    this.shots = newest.length === 0 ? [] : [...older, ...newest];
  }

  /** One request at a time: while the scrubber is dragged, only the last position counts. */
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
