import { Remembered } from './remembered.svelte.ts';

export const THEMES = ['system', 'light', 'dark'] as const;
export type ThemeName = (typeof THEMES)[number];

/** The theme of this browser. `app.html` sets it before the first paint, from the same key. */
class Theme {
  readonly #chosen = new Remembered<ThemeName>('theme', THEMES, 'system');
  readonly #listeners = new Set<() => void>();

  get chosen(): ThemeName {
    return this.#chosen.value;
  }

  choose(name: ThemeName): void {
    this.#chosen.set(name);
    document.documentElement.dataset['theme'] = name;
    for (const changed of this.#listeners) changed();
  }

  /** Called when colours change, for what is drawn without CSS. Returns the function that ends it. */
  onChange(changed: () => void): () => void {
    const system = matchMedia('(prefers-color-scheme: dark)');
    this.#listeners.add(changed);
    system.addEventListener('change', changed);
    return () => {
      this.#listeners.delete(changed);
      system.removeEventListener('change', changed);
    };
  }
}

export const theme = new Theme();
