/** The whole messages of a replay: an event has only the beginning of each. */
import type { Rest } from '$lib/client/rest.ts';
import type { Entry } from '$lib/conversation/conversation-pages.ts';

/** Characters of a message in its event; a longer one is cut there. */
const PREVIEW = 300;
const PAGE = 100;

export class FullMessages {
  /** By their id. */
  entries = $state.raw<Readonly<Record<number, Entry>>>({});

  readonly #rest: Rest;
  readonly #run: string;
  // eslint-disable-next-line svelte/prefer-svelte-reactivity -- nothing shows it
  readonly #asked = new Set<number>();

  constructor(rest: Rest, run: string) {
    this.#rest = rest;
    this.#run = run;
  }

  /** Those of these that are cut and not known yet. One that cannot be read stays cut. */
  async read(shown: readonly Entry[]): Promise<void> {
    const missing = shown
      .filter(({ id, content }) => content.length >= PREVIEW && !this.#asked.has(id))
      .map(({ id }) => id);
    for (const id of missing) this.#asked.add(id);
    try {
      let left = missing.toSorted((a, b) => a - b);
      for (let [first] = left; first !== undefined; [first] = left) {
        const last = await this.#readPage(first - 1, missing);
        left = left.filter((id) => id > last);
      }
    } catch {
      // Asked for again at the next position.
      for (const id of missing) if (!(id in this.entries)) this.#asked.delete(id);
    }
  }

  /** Gives the last id it read; none is above it when there are no more. */
  async #readPage(after: number, wanted: readonly number[]): Promise<number> {
    const query = { after: String(after), limit: String(PAGE) };
    const options = { item: this.#run, query };
    const { interactions } = await this.#rest.call('getRunInteractions', options);
    const found = interactions.filter(({ id }) => wanted.includes(id));
    this.entries = { ...this.entries, ...Object.fromEntries(found.map((each) => [each.id, each])) };
    return interactions.at(-1)?.id ?? Infinity;
  }
}
