/** A person's edit of a target: nothing typed is lost to a change elsewhere, and nothing there either. */
import { Attempt } from '$lib/state/attempt.svelte.ts';
import type { Feed } from '$lib/state/feed.svelte.ts';
import type { ModuleTarget } from '$shared/schema/modules.ts';

export class TargetEdit {
  /** Null while it is not edited. */
  text = $state<string | null>(null);
  readonly saving = new Attempt();

  readonly #feed: Feed;
  readonly #id: string;
  /** Of the text the edit began with, or that the person saw since. */
  #version = $state<string | null>(null);

  constructor(feed: Feed, id: string) {
    this.#feed = feed;
    this.#id = id;
  }

  begin({ text, version }: Pick<ModuleTarget, 'text' | 'version'>): void {
    this.text = text ?? '';
    this.#version = version;
    this.saving.error = null;
  }

  cancel(): void {
    this.text = null;
    this.saving.error = null;
  }

  /** The target was changed elsewhere since the edit began, to another text than this one. */
  isBehind({ text, version }: Pick<ModuleTarget, 'text' | 'version'>): boolean {
    return this.text !== null && version !== this.#version && text !== this.text;
  }

  /** Keeps the edit, to replace that newer version. */
  rebase({ version }: Pick<ModuleTarget, 'version'>): void {
    this.#version = version;
    this.saving.error = null;
  }

  /** The stored target, or null with `saving.error` set; the text is kept then. */
  async save(): Promise<ModuleTarget | null> {
    const { text } = this;
    if (text === null) return null;
    let saved: ModuleTarget | null = null;
    await this.saving.run(async () => {
      const body = { text, version: this.#version };
      saved = await this.#feed.rest.call('saveModuleTarget', { item: this.#id, body });
      this.text = null;
    });
    return saved;
  }
}
