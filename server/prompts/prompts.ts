/** The library of prompts: reusable task descriptions. */
import { randomUUID } from 'node:crypto';
import type {
  CreatePrompt,
  Prompt,
  PromptQuery,
  UpdatePrompt,
} from '../../shared/schema/tasks/prompt.ts';
import type { EventLog } from '../events/event-log.ts';
import { AppError } from '../lib/app-error.ts';
import { type Clock, toIso } from '../lib/clock.ts';
import type { PromptStore } from './prompt-store.ts';

export class Prompts {
  readonly #log: Pick<EventLog, 'write'>;
  readonly #store: PromptStore;
  readonly #clock: Clock;

  constructor(options: { log: Pick<EventLog, 'write'>; store: PromptStore; clock: Clock }) {
    this.#log = options.log;
    this.#store = options.store;
    this.#clock = options.clock;
  }

  create(given: CreatePrompt): Prompt {
    const now = this.#now();
    const prompt: Prompt = {
      id: randomUUID(),
      title: given.title,
      content: given.content,
      category: given.category ?? null,
      tags: given.tags ?? null,
      criteria_config: given.criteria_config ?? null,
      usage_count: 0,
      last_used_at: null,
      created_at: now,
      updated_at: now,
    };
    this.#log.write(() => this.#store.insert(prompt));
    return prompt;
  }

  /** Most used first, then most recently used. */
  list(query: PromptQuery): Prompt[] {
    return this.#store.list(query);
  }

  /** Throws `prompt_unknown`. */
  get(id: string): Prompt {
    const prompt = this.#store.get(id);
    if (prompt === null) {
      throw new AppError(
        'prompt_unknown',
        'no prompt with that id; list them with: loopwatch prompt ls',
      );
    }
    return prompt;
  }

  /** Omitted or null fields stay unchanged. Throws `prompt_unknown`. */
  update(id: string, change: UpdatePrompt): Prompt {
    return this.#replace(id, (before) => ({
      ...before,
      title: change.title ?? before.title,
      content: change.content ?? before.content,
      category: change.category ?? before.category,
      tags: change.tags ?? before.tags,
      criteria_config: change.criteria_config ?? before.criteria_config,
      updated_at: this.#now(),
    }));
  }

  /** Counts one more use. Throws `prompt_unknown`. */
  use(id: string): Prompt {
    return this.#replace(id, (before) => ({
      ...before,
      usage_count: before.usage_count + 1,
      last_used_at: this.#now(),
    }));
  }

  /** Throws `prompt_unknown`. */
  remove(id: string): void {
    this.get(id);
    this.#log.write(() => this.#store.delete(id));
  }

  #replace(id: string, change: (before: Prompt) => Prompt): Prompt {
    return this.#log.write(() => {
      const after = change(this.get(id));
      this.#store.replace(after);
      return after;
    });
  }

  #now(): string {
    return toIso(this.#clock.now());
  }
}
