/** The plan of a run: read when it is written and while the agent ticks its items. */
import { asRequestError } from '$lib/client/request-error.ts';
import { Attempt } from '$lib/state/attempt.svelte.ts';
import type { Feed } from '$lib/state/feed.svelte.ts';
import { throttleReads } from '$lib/state/throttle.ts';
import type { RunPlan } from '$shared/schema/runs/run.ts';
import { isRunEvent } from '../state/apply-run-event.ts';
import { touchesPlan } from './touches-plan.ts';

/** The agent ticks items in the file between its tool calls, without an event of their own. */
const READ_EVERY_MS = 1500;

export class PlanReading {
  /** Null before the agent wrote one. */
  plan = $state.raw<RunPlan | null>(null);
  isRead = $state(false);
  readonly reading = new Attempt();

  readonly #feed: Feed;
  readonly #id: string;
  readonly #readSoon: (id: string) => void;

  constructor(feed: Feed, id: string) {
    this.#feed = feed;
    this.#id = id;
    this.#readSoon = throttleReads(
      READ_EVERY_MS,
      async () => this.#fetch(),
      (_, plan) => {
        if (plan !== null) this.show(plan);
      },
    );
  }

  /** Reads and then follows events; call the result to stop. */
  follow(): () => void {
    const ignore = this.#feed.listen((event) => {
      if (!isRunEvent(event) || event.data.run !== this.#id) return;
      if (touchesPlan(event)) this.#readSoon(this.#id);
    });
    void this.read();
    return ignore;
  }

  async read(): Promise<void> {
    await this.reading.run(async () => {
      const plan = await this.#fetch();
      if (plan === null) this.isRead = true;
      else this.show(plan);
    });
  }

  show(plan: RunPlan): void {
    this.plan = plan;
    this.isRead = true;
  }

  async #fetch(): Promise<RunPlan | null> {
    try {
      return await this.#feed.rest.call('getRunPlan', { item: this.#id });
    } catch (thrown) {
      if (asRequestError(thrown).code === 'no_plan') return null;
      throw thrown;
    }
  }
}
