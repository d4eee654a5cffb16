/** A person's edit of a stored text: nothing typed is lost to a change elsewhere, and nothing there either. */
import { Attempt } from '$lib/state/attempt.svelte.ts';

/** A text as it is stored; its version is replaced with it. Both are null when there is none. */
export interface StoredText {
  text: string | null;
  version: string | null;
}

export class TextEdit {
  /** Null while it is not edited. */
  text = $state<string | null>(null);
  readonly saving = new Attempt();

  readonly #save: (text: string, version: string | null) => Promise<void>;
  /** Of the text the edit began with, or that the person saw since. */
  #version = $state<string | null>(null);

  /** `save` replaces that version of the text, or throws. */
  constructor(save: (text: string, version: string | null) => Promise<void>) {
    this.#save = save;
  }

  begin({ text, version }: StoredText): void {
    this.text = text ?? '';
    this.#version = version;
    this.saving.error = null;
  }

  cancel(): void {
    this.text = null;
    this.saving.error = null;
  }

  /** The text was changed elsewhere since the edit began, to another than this one. */
  isBehind({ text, version }: StoredText): boolean {
    return this.text !== null && version !== this.#version && text !== this.text;
  }

  /** Keeps the edit, to replace that newer version. */
  rebase({ version }: StoredText): void {
    this.#version = version;
    this.saving.error = null;
  }

  /** Returns whether it was stored over `stored`; else `saving.error` says why, and the text is kept. */
  async save(stored: StoredText): Promise<boolean> {
    const { text } = this;
    if (text === null) return false;
    const version = stored.text === text ? stored.version : this.#version;
    return this.saving.run(async () => {
      await this.#save(text, version);
      this.text = null;
    });
  }
}
