/** The budgets as last read, and the raise of one. */
import { Attempt } from '$lib/state/attempt.svelte.ts';
import type { Feed } from '$lib/state/feed.svelte.ts';
import { throttleReads } from '$lib/state/throttle.ts';
import type { Budget, SetBudget } from '$shared/schema/usage/budget.ts';
import { raisedLimit } from '$shared/words/usage/budget-text.ts';

const READ_EVERY_MS = 2_000;

export class Budgets {
  list = $state.raw<readonly Budget[] | null>(null);
  readonly reading = new Attempt();
  readonly changing = new Attempt();
  readonly #feed: Feed;
  readonly #touch: (key: string) => void;

  constructor(feed: Feed) {
    this.#feed = feed;
    this.#touch = throttleReads(
      READ_EVERY_MS,
      async () => this.#fetch(),
      (_, list) => (this.list = list),
    );
  }

  /** Reads now, and after what may use or change one; call the result to stop. */
  follow(): () => void {
    void this.read();
    return this.#feed.listen(({ type }) => {
      if (/^(budget|auto|task|run|respawn)\./.test(type)) this.#touch('list');
    });
  }

  async read(): Promise<void> {
    await this.reading.run(async () => {
      this.list = await this.#fetch();
    });
  }

  /** To the usual next limit, in one click. */
  async raise(budget: Budget, why: string): Promise<boolean> {
    return this.#change(async () => {
      const body = { limit: raisedLimit(budget), why };
      await this.#feed.rest.call('raiseBudget', { item: String(budget.id), body });
    });
  }

  async set(body: SetBudget): Promise<boolean> {
    return this.#change(async () => {
      await this.#feed.rest.call('setBudget', { body });
    });
  }

  async remove({ id }: Budget): Promise<boolean> {
    return this.#change(async () => {
      await this.#feed.rest.call('removeBudget', { item: String(id) });
    });
  }

  async #change(act: () => Promise<void>): Promise<boolean> {
    return this.changing.run(async () => {
      await act();
      this.list = await this.#fetch();
    });
  }

  async #fetch(): Promise<Budget[]> {
    return (await this.#feed.rest.call('listBudgets')).budgets;
  }
}

/** The budgets that `subject`, such as `task:fix-login`, waits for. */
export function budgetsHolding(list: readonly Budget[], subject: string): readonly Budget[] {
  return list.filter((budget) => budget.holding.includes(subject));
}
