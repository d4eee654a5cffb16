/** The recent inputs of a run: read from the log, then followed. */
import type { Feed } from '$lib/state/feed.svelte.ts';
import type { EventRecord } from '$shared/schema/events/events.ts';
import { INPUT_EVENTS, runInputs } from './run-inputs.ts';
import { isRunEvent } from './state/apply-run-event.ts';

/** Events read: enough for the inputs shown. */
const READ = '40';
/** Inputs shown. */
const SHOWN = 5;
/** Higher than any event. */
const NEWEST = '999999999999999';

export class InputWatch {
  #events = $state.raw<readonly EventRecord[]>([]);
  readonly recent = $derived(runInputs(this.#events).slice(-SHOWN));

  readonly #feed: Feed;
  readonly #id: string;

  constructor(feed: Feed, id: string) {
    this.#feed = feed;
    this.#id = id;
  }

  /** Reads and then follows events; call the result to stop. */
  follow(): () => void {
    const ignore = this.#feed.listen((event) => {
      if (!isRunEvent(event) || event.data.run !== this.#id) return;
      if (event.type.startsWith('run.input_')) this.#add([event]);
    });
    // Without it the inputs of this visit are still shown.
    void this.#read().catch(() => undefined);
    return ignore;
  }

  async #read(): Promise<void> {
    const subject = `run:${this.#id}`;
    const query = { before: NEWEST, subject, types: INPUT_EVENTS, limit: READ };
    const { events } = await this.#feed.rest.call('listEvents', { query });
    this.#add(events as EventRecord[]);
  }

  #add(events: readonly EventRecord[]): void {
    // eslint-disable-next-line svelte/prefer-svelte-reactivity -- read in this call only
    const bySeq = new Map([...this.#events, ...events].map((event) => [event.seq, event]));
    this.#events = [...bySeq.values()];
  }
}
