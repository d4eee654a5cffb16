/** What the page "Report" shows, as last read. */
import { Attempt } from '$lib/state/attempt.svelte.ts';
import type { Feed } from '$lib/state/feed.svelte.ts';
import type { Report } from '$shared/schema/report.ts';
import { type ReportRange, sinceOf } from './report-range.ts';

export class ReportBoard {
  shown = $state.raw<Report | null>(null);
  /** Branches are not read yet: that takes git seconds. */
  isPartial = $state(false);
  readonly reading = new Attempt();
  readonly #feed: Feed;
  #range: ReportRange = 'night';
  #shownRange: ReportRange | null = null;

  constructor(feed: Feed) {
    this.#feed = feed;
  }

  /** An answer to an earlier choice is not shown. */
  async read(range = this.#range): Promise<void> {
    this.#range = range;
    await this.reading.run(async () => {
      let asked: ReportRange;
      do {
        asked = this.#range;
        const since = sinceOf(asked, Date.now());
        const { rest } = this.#feed;
        const first = await rest.call('getReport', { query: { since, branches: 'skip' } });
        if (asked !== this.#range) continue;
        if (this.shown === null || this.#shownRange !== asked) {
          [this.shown, this.isPartial, this.#shownRange] = [first, true, asked];
        }
        const whole = await rest.call('getReport', { query: { since } });
        if (asked === this.#range) [this.shown, this.isPartial] = [whole, false];
      } while (asked !== this.#range);
    });
  }
}
