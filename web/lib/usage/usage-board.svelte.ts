/** What the page "Usage" shows, as last read: the windows of the plan, and sums of the ledger. */
import { Attempt } from '$lib/state/attempt.svelte.ts';
import type { Feed } from '$lib/state/feed.svelte.ts';
import { throttleReads } from '$lib/state/throttle.ts';
import type { UsageGroup, UsageNow, UsageReport } from '$shared/schema/usage/usage.ts';
import { daysOf, type RangeName } from './figures.ts';

/** Sums move with each turn of each agent; a person reads them more slowly. */
const READ_EVERY_MS = 10_000;
const GROUPS = ['day', 'project', 'person', 'subject', 'model'] as const satisfies UsageGroup[];

export interface UsageChoice {
  range: RangeName;
  /** Null for all. */
  project: string | null;
}

export interface UsageReading {
  now: UsageNow;
  reports: Record<(typeof GROUPS)[number], UsageReport>;
  choice: UsageChoice;
}

export class UsageBoard {
  shown = $state.raw<UsageReading | null>(null);
  /** When that was read, in milliseconds since 1970. */
  readAt = $state.raw(0);
  readonly reading = new Attempt();
  readonly #feed: Feed;
  #choice: UsageChoice = { range: 'week', project: null };
  readonly #touch: (key: string) => void;

  constructor(feed: Feed) {
    this.#feed = feed;
    this.#touch = throttleReads(
      READ_EVERY_MS,
      async () => this.#fetch(this.#choice),
      (_, reading) => this.#show(reading),
    );
  }

  async read(choice = this.#choice): Promise<void> {
    this.#choice = choice;
    // The read in progress may have another choice.
    if (this.reading.isBusy) this.#touch('board');
    else await this.reading.run(async () => this.#show(await this.#fetch(choice)));
  }

  /** Reads again after what may have used something; call the result to stop. */
  follow(): () => void {
    return this.#feed.listen(({ type }) => {
      if (/^(session\.agent|auto\.|task\.|run\.)/.test(type)) this.#touch('board');
    });
  }

  async #fetch(choice: UsageChoice): Promise<UsageReading> {
    const { rest } = this.#feed;
    const since = daysOf(choice.range, Date.now()).at(-1) ?? '';
    const [now, ...reports] = await Promise.all([
      rest.call('getUsageNow'),
      ...GROUPS.map(async (by) => {
        // The list to choose from stays complete.
        const project = by === 'project' ? null : choice.project;
        const query: Record<string, string> = { since, by };
        if (project !== null) query['project'] = project;
        return [by, await rest.call('getUsage', { query })] as const;
      }),
    ]);
    return { now, reports: Object.fromEntries(reports) as UsageReading['reports'], choice };
  }

  /** An answer to an earlier choice is not shown. */
  #show(reading: UsageReading): void {
    if (reading.choice !== this.#choice) return;
    this.shown = reading;
    this.readAt = Date.now();
  }
}
