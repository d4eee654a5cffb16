/** The event counts of one host over a time range: read once, then updated by its events. */
import { untrack } from 'svelte';
import { Attempt } from '$lib/state/attempt.svelte.ts';
import { collectBatches } from '$lib/state/batch.ts';
import type { Feed } from '$lib/state/feed.svelte.ts';
import type { EventRecord } from '$shared/schema/events/events.ts';
import { ACTIVITY_TYPES, type Activity, addEvents, advance, toActivity } from './activity.ts';
import { chartSpan, endsNow, type HistoryRange } from './history-choice.ts';

export class ActivityBoard {
  readonly reading = new Attempt();
  readonly #feed: Feed;
  readonly #range: HistoryRange;
  readonly #isLive: boolean;
  #read = $state.raw<Activity | null>(null);
  /** Events that arrived while the daemon counted; it may or may not have counted them. */
  #meanwhile: EventRecord[] = [];
  /** Null before it was read. */
  readonly shown = $derived.by(() =>
    this.#read === null || !this.#isLive ? this.#read : advance(this.#read, this.#feed.clock),
  );

  constructor(feed: Feed, range: HistoryRange) {
    this.#feed = feed;
    this.#range = range;
    this.#isLive = endsNow(range);
  }

  async read(): Promise<void> {
    await this.reading.run(async () => {
      this.#meanwhile = [];
      const { seconds, bucket, until } = chartSpan(this.#range, Date.now());
      const query = {
        seconds: String(seconds),
        bucket: String(bucket),
        types: ACTIVITY_TYPES.join(','),
        ...(until === null ? {} : { until }),
      };
      const answer = await this.#feed.rest.call('countEvents', { query });
      this.#read = addEvents(toActivity(answer, Math.ceil(seconds / bucket)), this.#meanwhile);
    });
  }

  /** Adds new events until the result is called. */
  listen(): () => void {
    const batches = collectBatches<EventRecord>((events) => this.#receive(events));
    const ignore = this.#feed.listen(batches.add);
    return () => {
      ignore();
      batches.end();
    };
  }

  /** Reads when the connection first comes up, and after each break of the stream. For an effect. */
  readAfterBreaks(): undefined {
    const { beginning, isStale } = this.#feed;
    if (beginning !== null && !isStale) untrack(() => void this.read());
  }

  #receive(events: readonly EventRecord[]): void {
    if (!this.#isLive) return;
    if (this.reading.isBusy) this.#meanwhile.push(...events);
    if (this.#read !== null) this.#read = addEvents(this.#read, events);
  }
}
