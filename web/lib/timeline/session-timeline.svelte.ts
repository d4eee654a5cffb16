/**
 * The events about one session, newest first: the newest are read when the page connects, new ones are
 * added, older ones are read on demand. No gaps, no duplicates.
 */
import { untrack } from 'svelte';
import { Attempt } from '$lib/state/attempt.svelte.ts';
import type { Feed } from '$lib/state/feed.svelte.ts';
import type { EventRecord } from '$shared/schema/events/events.ts';
import type { Subject } from '$shared/schema/events/subject.ts';

const PAGE = 200;
/** Pages read to close the gap after a break; a longer gap restarts the list. */
const MAX_GAP_PAGES = 10;
/** A page left open for days must not grow forever; older ones are read again on demand. */
const MAX_EVENTS = 3_000;
/** Higher than any event. */
const NEWEST = '999999999999999';

export class SessionTimeline {
  events = $state.raw<readonly EventRecord[]>([]);
  isLoaded = $state(false);
  /** The daemon has older ones. */
  hasOlder = $state(false);

  readonly reading = new Attempt();
  readonly #feed: Feed;
  readonly #about: Subject;
  #epoch = '';
  #next = 0;

  /** `about`: a session, with the events of its loop, or a found session. */
  constructor(feed: Feed, about: Subject) {
    this.#feed = feed;
    this.#about = about;
  }

  /** Reads past events and adds new ones; call the result to stop. */
  start(): () => void {
    const ignore = this.#feed.listen((event) => {
      if (this.#isAbout(event)) this.#add([event]);
    });
    // Untracked, so that this read does not restart the effect.
    untrack(() => void this.read());
    return ignore;
  }

  /** Reads the newest events, back to the known ones. */
  async read(): Promise<void> {
    await this.reading.run(async () => {
      const known = this.isLoaded ? (this.events[0]?.seq ?? 0) : Infinity;
      let page = await this.#page(NEWEST);
      const isSameLog = page.epoch === this.#epoch;
      const found = [...page.events];
      for (let pages = 1; isSameLog && page.next > known && pages < MAX_GAP_PAGES; pages += 1) {
        page = await this.#page(String(page.next));
        found.push(...page.events);
      }
      const isWhole = isSameLog && (page.next === 0 || page.next <= known);
      if (!isWhole || !this.isLoaded) {
        // Events that arrived during the read are newer than the page and are added to it.
        const newest = found[0]?.seq ?? 0;
        const recent = isSameLog || !this.isLoaded ? this.events : [];
        this.events = recent.filter(({ seq }) => seq > newest);
        this.#setNext(page.next);
      }
      this.#epoch = page.epoch;
      this.#add(found);
      this.isLoaded = true;
    });
  }

  async readOlder(): Promise<void> {
    if (!this.hasOlder) return;
    await this.reading.run(async () => {
      const page = await this.#page(String(this.#next));
      if (page.epoch !== this.#epoch) return;
      this.events = merged(this.events, page.events);
      this.#setNext(page.next);
    });
  }

  async #page(before: string) {
    const { kind, id } = this.#about;
    const [filter, value] = kind === 'session' ? ['session', id] : ['subject', `${kind}:${id}`];
    const query = { before, limit: String(PAGE), [filter]: value };
    const { epoch, next, events } = await this.#feed.rest.call('listEvents', { query });
    return { epoch, next, events: events as EventRecord[] };
  }

  #isAbout({ session, subject }: EventRecord): boolean {
    const { kind, id } = this.#about;
    if (kind === 'session') return session === id;
    return subject.kind === kind && subject.id === id;
  }

  #add(events: readonly EventRecord[]): void {
    const all = merged(this.events, events);
    this.events = all.slice(0, MAX_EVENTS);
    const oldest = this.events.at(-1);
    if (all.length > MAX_EVENTS && oldest !== undefined) this.#setNext(oldest.seq);
  }

  #setNext(next: number): void {
    this.#next = next;
    this.hasOlder = next !== 0;
  }
}

function merged(known: readonly EventRecord[], more: readonly EventRecord[]): EventRecord[] {
  const bySeq = new Map([...known, ...more].map((event) => [event.seq, event]));
  return [...bySeq.values()].sort((a, b) => b.seq - a.seq);
}
