/** The library of prompts, as the page has it. */
import { Attempt } from '$lib/state/attempt.svelte.ts';
import type { Rest } from '$lib/client/rest.ts';
import type { Prompt } from '$shared/tasks/prompt.ts';

/** As many as one answer holds. */
const LISTED = '1000';

export class PromptBoard {
  prompts = $state.raw<readonly Prompt[] | null>(null);
  readonly reading = new Attempt();

  readonly #rest: Rest;

  constructor(rest: Rest) {
    this.#rest = rest;
  }

  async read(): Promise<void> {
    await this.reading.run(async () => {
      this.prompts = await this.#rest.call('listPrompts', { query: { limit: LISTED } });
    });
  }

  async remove({ id }: Prompt): Promise<void> {
    await this.#rest.call('deletePrompt', { item: id });
    this.prompts = this.prompts?.filter((prompt) => prompt.id !== id) ?? null;
  }
}
