/** What happened in a run, oldest first, and what happens now; without saves of its checkpoint. */
import { Attempt } from '$lib/state/attempt.svelte.ts';
import type { Feed } from '$lib/state/feed.svelte.ts';
import { formatEventAddress } from '$lib/events/event-address.ts';
import type { EventRecord } from '$shared/schema/events/events.ts';
import { isRoutine } from '$shared/rules/events/is-routine.ts';
import type { RunEvent } from '$shared/words/events/describe-run-event.ts';
import { isRunEvent } from '../state/apply-run-event.ts';

const PAGE = '1000';
/** A page left open must not grow forever; a run has some thousand. */
export const MAX_EVENTS = 50_000;

export class RunLog {
  events = $state.raw<readonly RunEvent[]>([]);
  isRead = $state(false);
  /** There are more than the page holds. */
  isCut = $state(false);
  readonly reading = new Attempt();

  readonly #feed: Feed;
  readonly #id: string;
  #arrived: RunEvent[] = [];

  constructor(feed: Feed, id: string) {
    this.#feed = feed;
    this.#id = id;
  }

  /** The log no longer holds the beginning of the run. */
  get isHeadless(): boolean {
    const [first] = this.events;
    return first !== undefined && first.type !== 'run.created';
  }

  /** Reads and then follows; call the result to stop. */
  follow(): () => void {
    const ignore = this.#feed.listen((event) => {
      if (!isRunEvent(event) || event.data.run !== this.#id) return;
      if (this.isRead) this.#add([event]);
      else this.#arrived.push(event);
    });
    void this.read();
    return ignore;
  }

  async read(): Promise<void> {
    await this.reading.run(async () => {
      const found: RunEvent[] = [];
      let after: string | null = null;
      while (found.length < MAX_EVENTS) {
        const query: Record<string, string> = {
          subject: `run:${this.#id}`,
          limit: PAGE,
          ...(after === null ? {} : { after }),
        };
        const page = await this.#feed.rest.call('listEvents', { query });
        const events = page.events as EventRecord[];
        found.push(...events.filter(isRunEvent));
        if (page.next >= page.head) break;
        after = formatEventAddress({ epoch: page.epoch, seq: page.next });
      }
      this.events = [];
      this.#add([...found, ...this.#arrived]);
      this.#arrived = [];
      this.isRead = true;
    });
  }

  #add(events: readonly RunEvent[]): void {
    const shown = events.filter(({ type }) => !isRoutine(type));
    // eslint-disable-next-line svelte/prefer-svelte-reactivity -- read in this call only
    const bySeq = new Map([...this.events, ...shown].map((event) => [event.seq, event]));
    const all = [...bySeq.values()].sort((a, b) => a.seq - b.seq);
    this.isCut = all.length > MAX_EVENTS;
    this.events = all.slice(0, MAX_EVENTS);
  }
}
