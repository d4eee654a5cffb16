/**
 * The list of events of one filter: live from the feed, older and newer ones from the log. Every
 * read is checked against the window it was started for, so that no gap can appear.
 */
import { Attempt } from '$lib/state/attempt.svelte.ts';
import type { Beginning, Feed } from '$lib/state/feed.svelte.ts';
import type { ResetReason } from '$shared/schema/events/cursor.ts';
import type { EventRecord } from '$shared/schema/events/events.ts';
import { type EventAddress, formatEventAddress } from './event-address.ts';
import { BREAK_TEXT } from './break-text.ts';
import * as eventWindow from './event-window.ts';
import { backfillFrom, nextWindow, type SeqWindow, withWindow } from './backfill.ts';

/** Read on each side of the event of a link. */
const SURROUNDINGS = 50;
/** Events per read on the way to newer ones, and reads before a person must ask again. */
const AHEAD = 250;
const AHEAD_READS = 12;

export class EventReader {
  window = $state.raw<eventWindow.EventWindow>(eventWindow.EMPTY_WINDOW);
  /** Below the window: perhaps more, certainly nothing, or nothing over a long stretch. */
  below = $state.raw<'more' | 'end' | 'far'>('more');
  missing = $state.raw<ResetReason | null>(null);
  /** Seq of the event the list was opened at; shown whether or not the filter selects it. */
  marked = $state.raw<number | null>(null);
  epoch = $state.raw('');
  hasBegun = $derived(this.epoch !== '');
  readonly reading = new Attempt();

  readonly #feed: Feed;
  readonly #selects: (event: EventRecord) => boolean;
  readonly #shown: EventAddress | null;
  #beginning: Beginning | null = null;

  /** Opens at `shown`; without it the list follows the newest. */
  constructor(
    feed: Feed,
    selects: (event: EventRecord) => boolean,
    shown: EventAddress | null = null,
  ) {
    this.#feed = feed;
    this.#shown = shown;
    this.#selects = (event) => event.seq === this.marked || selects(event);
  }

  /** Adds new events, in order. */
  receive(events: readonly EventRecord[]): void {
    const newest = events.at(-1)?.seq;
    if (newest === undefined) return;
    const { low } = this.window;
    this.window = eventWindow.receive(this.window, events.filter(this.#selects), newest);
    // The oldest rows were dropped: the log has them.
    if (this.window.low > low) this.below = 'more';
  }

  /** Reads the log if the list does not connect to the events the feed now delivers. */
  async follow(beginning: Beginning): Promise<void> {
    const before = this.#beginning;
    this.#beginning = beginning;
    if (!this.hasBegun) return this.begin();
    if (before === null || before === beginning) return;
    const isSame = beginning.epoch === this.epoch;
    if (isSame && beginning.reason === null && beginning.head <= this.window.newestSeen) return;
    const text = BREAK_TEXT[isSame ? (beginning.reason ?? 'unknown') : 'epoch'];
    // Seqs of another database mean nothing in this one.
    const base = isSame
      ? this.window
      : eventWindow.beginAt(eventWindow.EMPTY_WINDOW, beginning.head);
    if (!isSame) this.marked = null;
    this.epoch = beginning.epoch;
    this.window = eventWindow.breakOff(base, beginning.head, text);
    this.below = 'more';
    if (this.window.isFollowing) await this.reading.run(() => this.#readBack());
  }

  /** Reads the first window; also the retry after a failure. */
  async begin(): Promise<void> {
    await this.reading.run(async () => {
      const { epoch, head, retention } = await this.#feed.rest.call('status');
      const shown = this.#shown;
      if (shown !== null) {
        this.missing = whyMissing(shown, epoch, head, retention.oldest);
        if (this.missing === null) {
          await this.#readAround(shown, head, retention.oldest);
          return;
        }
      }
      this.window = eventWindow.beginAt(this.window, head);
      this.epoch = epoch;
      await this.#readBack(retention.oldest);
    });
  }

  pause(): void {
    this.window = eventWindow.pause(this.window);
  }

  /** Shows what arrived while paused; what was not held is read from the log. */
  async resume(): Promise<void> {
    const wasDetached = this.window.heldAfter > this.window.high;
    this.window = eventWindow.resume(this.window);
    if (!wasDetached) return;
    this.below = 'more';
    await this.reading.run(() => this.#readBack());
  }

  /** Reads older events; the list is paused from then on. */
  async readOlder(): Promise<void> {
    this.pause();
    await this.reading.run(() => this.#readBack());
  }

  /** Reads the events between the list and the held ones. */
  async readNewer(): Promise<void> {
    await this.reading.run(async () => {
      for (let read = 0, found = 0; read < AHEAD_READS && found < SURROUNDINGS; read += 1) {
        const { high } = this.window;
        if (!eventWindow.isDetached(this.window)) return;
        const query = { after: this.#cursor(high), limit: String(AHEAD) };
        const page = await this.#feed.rest.call('listEvents', { query });
        if (page.reset !== undefined || this.window.high !== high) return;
        const events = (page.events as EventRecord[]).filter(this.#selects);
        this.window = eventWindow.addNewer(this.window, events, page.next);
        found += events.length;
      }
    });
  }

  async #readAround(shown: EventAddress, head: number, oldest: number): Promise<void> {
    const low = Math.max(oldest - 1, shown.seq - 1 - SURROUNDINGS);
    const limit = String(shown.seq + SURROUNDINGS - low);
    const query = { after: cursorText(shown.epoch, low), limit };
    const page = await this.#feed.rest.call('listEvents', { query });
    this.marked = shown.seq;
    const events = (page.events as EventRecord[]).filter(this.#selects);
    if (!events.some(({ seq }) => seq === shown.seq)) this.missing = 'expired';
    const found = { events, low, high: page.next };
    this.epoch = shown.epoch;
    this.window = eventWindow.openAt(this.window, head, found);
    if (low < oldest) this.below = 'end';
  }

  /** Reads down window by window until enough is found, or a person must confirm to continue. */
  async #readBack(oldest = 1): Promise<void> {
    let search = backfillFrom(this.window.low, oldest);
    for (;;) {
      const next = nextWindow(search);
      if (typeof next === 'string') {
        this.below = next === 'enough' ? 'more' : next;
        return;
      }
      const read = await this.#readWindow(next);
      // The window has moved since: the read events no longer connect to it.
      if (this.window.low !== next.upTo) return;
      if (read.oldest !== null) {
        search = { ...search, oldest: read.oldest };
        if (read.oldest > next.after + 1) continue;
      }
      this.window = eventWindow.addOlder(this.window, read.events, next.after);
      search = withWindow(search, next, read.events.length);
      if (this.window.low !== search.low) {
        this.below = 'more';
        return;
      }
    }
  }

  async #readWindow({ after, upTo }: SeqWindow): Promise<{
    events: EventRecord[];
    /** The start of the log, when the window reaches below it. */
    oldest: number | null;
  }> {
    const query = { after: this.#cursor(after), limit: String(upTo - after) };
    const page = await this.#feed.rest.call('listEvents', { query });
    if (page.reset?.reason === 'expired') return { events: [], oldest: page.reset.oldest };
    // Another database by now: the feed reports it, and the list starts over.
    if (page.reset !== undefined) return { events: [], oldest: upTo + 1 };
    const events = (page.events as EventRecord[]).filter(({ seq }) => seq <= upTo);
    const first = page.events[0]?.seq ?? after + 1;
    const selected = events.filter(this.#selects);
    return { events: selected, oldest: after === 0 && first > 1 ? first : null };
  }

  #cursor(after: number): string {
    return cursorText(this.epoch, after);
  }
}

/** Zero is the oldest stored event, in any epoch. */
function cursorText(epoch: string, after: number): string {
  return after === 0 ? '0' : formatEventAddress({ epoch, seq: after });
}

function whyMissing(
  shown: EventAddress,
  epoch: string,
  head: number,
  oldest: number,
): ResetReason | null {
  if (shown.epoch !== epoch) return 'epoch';
  if (shown.seq > head) return 'future';
  return shown.seq < oldest ? 'expired' : null;
}
