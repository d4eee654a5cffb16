/** A person's edit of a plan that waits for review: nothing typed is lost to a change elsewhere. */
import { Attempt } from '$lib/state/attempt.svelte.ts';
import type { Feed } from '$lib/state/feed.svelte.ts';
import type { Run, RunPlan } from '$shared/schema/runs/run.ts';

export class PlanEdit {
  /** Null while the plan is not edited. */
  text = $state<string | null>(null);
  readonly saving = new Attempt();
  readonly accepting = new Attempt();

  readonly #feed: Feed;
  readonly #id: string;
  /** Of the text that the edit began with, or that the person saw since. */
  #hash = $state('');

  constructor(feed: Feed, id: string) {
    this.#feed = feed;
    this.#id = id;
  }

  begin({ text, hash }: RunPlan): void {
    this.text = text;
    this.#hash = hash;
    this.saving.error = null;
  }

  cancel(): void {
    this.text = null;
    this.saving.error = null;
  }

  /** The plan was changed elsewhere since the edit began. */
  isBehind(plan: RunPlan): boolean {
    return this.text !== null && plan.hash !== this.#hash;
  }

  /** Keeps the edit, to replace that newer version. */
  rebase({ hash }: RunPlan): void {
    this.#hash = hash;
    this.saving.error = null;
  }

  /** The stored plan, or null with `saving.error` set; the text is kept then. */
  async save(): Promise<RunPlan | null> {
    const { text } = this;
    if (text === null) return null;
    let saved: RunPlan | null = null;
    await this.saving.run(async () => {
      const body = { text, hash: this.#hash };
      saved = await this.#feed.rest.call('editRunPlan', { item: this.#id, body });
      this.text = null;
    });
    return saved;
  }

  /** Accepts exactly the shown version. */
  async accept({ hash }: RunPlan): Promise<Run | null> {
    let run: Run | null = null;
    await this.accepting.run(async () => {
      run = await this.#feed.rest.call('acceptRunPlan', { item: this.#id, body: { hash } });
    });
    return run;
  }
}
