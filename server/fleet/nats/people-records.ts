/** What the fleet knows of its people: a record each, written only after the one it follows. */
import type { PeopleListener } from '../carrier.ts';
import { asking, hasMoved } from './fleet-error.ts';
import { headers } from '@nats-io/transport-node';
import type { Live } from './link.ts';
import { BUCKETS } from './subjects.ts';
import type { Entry } from './watch-bucket.ts';

const MAX_RECORD_BYTES = 64 * 1024;
const MAX_PEOPLE = 10_000;

export class PeopleRecords {
  readonly #known = new Map<string, Entry>();
  readonly #listeners = new Set<PeopleListener>();
  #isComplete = false;

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

  listen(listener: PeopleListener): () => void {
    listener.began();
    for (const { key, value, revision } of this.#known.values()) {
      listener.person(key, value, revision);
    }
    if (this.#isComplete) listener.complete();
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** A new or emptied server counts revisions from the beginning: nothing of before can be followed. */
  began(): void {
    this.#known.clear();
    this.#isComplete = false;
    for (const listener of [...this.#listeners]) listener.began();
  }

  completed(): void {
    this.#isComplete = true;
    for (const listener of [...this.#listeners]) listener.complete();
  }

  heard(entry: Entry): void {
    const { key, value, revision, isDeleted } = entry;
    if (isDeleted || value.length > MAX_RECORD_BYTES) return;
    if (!this.#known.has(key) && this.#known.size >= MAX_PEOPLE) return;
    this.#known.set(key, entry);
    for (const listener of [...this.#listeners]) listener.person(key, value, revision);
  }
}
