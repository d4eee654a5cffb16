/** What the page "Report" shows, as last read. */
import { Attempt } from '$lib/state/attempt.svelte.ts';
import type { Feed } from '$lib/state/feed.svelte.ts';
import type { Report } from '$shared/schema/usage/report.ts';
import { intervalOf, type ReportChoice } from './report-range.ts';

export class ReportBoard {
  shown = $state.raw<Report | null>(null);
  /** Branches are not read yet: that takes git seconds. */
  isPartial = $state(false);
  readonly reading = new Attempt();
  readonly #feed: Feed;
  #choice: ReportChoice = { range: 'night' };
  #shownChoice: ReportChoice | null = null;

  constructor(feed: Feed) {
    this.#feed = feed;
  }

  /** An answer to an earlier choice is not shown. */
  async read(choice = this.#choice): Promise<void> {
    this.#choice = choice;
    await this.reading.run(async () => {
      let asked: ReportChoice;
      do {
        asked = this.#choice;
        const interval = intervalOf(asked, Date.now());
        const { rest } = this.#feed;
        const first = await rest.call('getReport', { query: { ...interval, branches: 'skip' } });
        if (asked !== this.#choice) continue;
        if (this.shown === null || this.#shownChoice !== asked) {
          [this.shown, this.isPartial, this.#shownChoice] = [first, true, asked];
        }
        const whole = await rest.call('getReport', { query: interval });
        if (asked === this.#choice) [this.shown, this.isPartial] = [whole, false];
      } while (asked !== this.#choice);
    });
  }
}
