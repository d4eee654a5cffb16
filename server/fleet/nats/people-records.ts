/** What the fleet knows of its people: a record each, written only after the one it follows. */
import { asking, hasMoved } from './fleet-error.ts';
import { headers } from '@nats-io/transport-node';
import type { Live } from './link.ts';
import { BUCKETS } from './subjects.ts';
import type { Entry } from './watch-bucket.ts';

const MAX_RECORD_BYTES = 64 * 1024;
const MAX_PEOPLE = 10_000;

type Listener = (id: string, record: Uint8Array, revision: number) => void;

export class PeopleRecords {
  readonly #known = new Map<string, Entry>();
  readonly #listeners = new Set<Listener>();

  async save(
    { js }: Live,
    id: string,
    record: Uint8Array,
    after: number,
  ): Promise<number | 'moved'> {
    if (!/^[\w-]{1,100}$/.test(id)) throw new Error(`not the id of a person: ${id}`);
    const expect = { lastSubjectSequence: after };
    try {
      const { seq } = await asking('save a person', () =>
        js.publish(`$KV.${BUCKETS.people}.${id}`, record, { headers: headers(), expect }),
      );
      return seq;
    } catch (error) {
      if (hasMoved(error)) return 'moved';
      throw error;
    }
  }

  listen(listener: Listener): () => void {
    for (const { key, value, revision } of this.#known.values()) listener(key, value, revision);
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  heard(entry: Entry): void {
    const { key, value, revision, isDeleted } = entry;
    if (isDeleted || value.length > MAX_RECORD_BYTES) return;
    const known = this.#known.get(key);
    // A watch that starts again repeats what is known.
    if (known === undefined ? this.#known.size >= MAX_PEOPLE : known.revision === revision) return;
    this.#known.set(key, entry);
    for (const listener of [...this.#listeners]) listener(key, value, revision);
  }
}
