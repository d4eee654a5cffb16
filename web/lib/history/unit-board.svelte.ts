/** The units of work of the shown range: the newest pages, kept current while someone looks. */
import { Attempt } from '$lib/state/attempt.svelte.ts';
import { coalesceReads } from '$lib/state/coalesce.ts';
import type { Feed } from '$lib/state/feed.svelte.ts';
import { UNIT_EVENTS } from '$shared/rules/events/unit-events.ts';
import type { HistoryUnit, UnitHistory } from '$shared/schema/events/history.ts';
import { type HistoryChoice, rangeQuery } from './history-choice.ts';
import { joinPages } from './join-pages.ts';

const PAGE = 50;
/** The most one answer holds. */
const LARGEST = 200;
/** A burst of events is followed by one read. */
const READ_DELAY_MS = 700;
const TYPES: readonly string[] = UNIT_EVENTS;

export class UnitBoard {
  /** Of the newest page; its units are in `units`. */
  shown = $state.raw<UnitHistory | null>(null);
  units = $state.raw<readonly HistoryUnit[]>([]);
  /** When that was read. */
  readAt = $state.raw(0);
  next = $state.raw<string | null>(null);
  readonly reading = new Attempt();
  readonly readingOlder = new Attempt();
  readonly #feed: Feed;
  readonly #touch: (key: string) => void;
  #choice: HistoryChoice | null = null;
  /** How often a reading was wanted: one that was overtaken is repeated. */
  #wanted = 0;
  #shownChoice: HistoryChoice | null = null;

  constructor(feed: Feed) {
    this.#feed = feed;
    this.#touch = coalesceReads(
      READ_DELAY_MS,
      async () => this.read(),
      () => undefined,
    );
  }

  /** An answer to an earlier choice is not shown. */
  async read(choice = this.#choice): Promise<void> {
    if (choice === null) return;
    this.#choice = choice;
    this.#wanted += 1;
    await this.reading.run(async () => {
      let wanted: number;
      do {
        wanted = this.#wanted;
        const asked = this.#choice ?? choice;
        const isSame = asked === this.#shownChoice;
        const limit = isSame ? Math.min(LARGEST, Math.max(PAGE, this.units.length)) : PAGE;
        const found = await this.#fetch(asked, { limit: String(limit) });
        if (asked === this.#choice) this.#show(asked, found);
      } while (wanted !== this.#wanted);
    });
  }

  async readOlder(): Promise<void> {
    const choice = this.#shownChoice;
    const { next: before } = this;
    if (choice === null || before === null) return;
    await this.readingOlder.run(async () => {
      const found = await this.#fetch(choice, { before, limit: String(PAGE) });
      if (choice !== this.#shownChoice) return;
      this.units = joinPages(this.units, found.units);
      this.next = found.next;
    });
  }

  /** Reads again what an event changes; call the result to stop. */
  follow(): () => void {
    return this.#feed.listen(({ type }) => {
      if (TYPES.includes(type)) this.#touch('units');
    });
  }

  #show(choice: HistoryChoice, found: UnitHistory): void {
    const isSame = choice === this.#shownChoice;
    const older = isSame ? this.units.slice(found.units.length) : [];
    const isLonger = older.length > 0 && found.next !== null;
    this.units = isLonger ? joinPages(found.units, older) : found.units;
    if (!isLonger) this.next = found.next;
    [this.shown, this.readAt, this.#shownChoice] = [found, Date.now(), choice];
  }

  async #fetch(choice: HistoryChoice, page: Record<string, string>): Promise<UnitHistory> {
    const { range, kind, state, project, person, text } = choice;
    const given = { kind, state, project, person, text: text === '' ? null : text };
    const filter = Object.entries(given).filter(([, value]) => value !== null);
    return this.#feed.rest.call('getHistory', {
      query: {
        ...(Object.fromEntries(filter) as Record<string, string>),
        ...rangeQuery(range, Date.now()),
        ...page,
      },
    });
  }
}
