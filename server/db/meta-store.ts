/** Rows of `meta`: the epoch that names the life of this database, and whether it is a restored one. */
import { eq } from 'drizzle-orm';
import { z } from 'zod';
import { randomId } from '../lib/random-id.ts';
import type { Database } from './database.ts';
import { meta } from './schema.ts';

const RestoreMark = z.strictObject({
  /** When it was restored. */
  at: z.iso.datetime(),
  /**
   * Runs of loops that the backup holds and the database it replaced did not, or could not be asked
   * about: they may have ended in between. Null, meaning all of them, only in marks of older versions.
   */
  ended_runs: z.array(z.string()).nullable(),
});
export type RestoreMark = z.infer<typeof RestoreMark>;

export class MetaStore {
  readonly #query: Database['query'];

  constructor({ query }: Pick<Database, 'query'>) {
    this.#query = query;
  }

  /** Gives the epoch; a new database gets its first one here. */
  epoch(): string {
    const made = { key: 'epoch', value: randomId() };
    this.#query.insert(meta).values(made).onConflictDoNothing().run();
    return this.#get('epoch') ?? '';
  }

  /**
   * Makes this the start of another life: a new epoch, so that no cursor of the old one is taken for
   * one of this, and a mark for the daemon that takes it up. Gives the epoch.
   */
  markRestored(mark: RestoreMark): string {
    const epoch = randomId();
    this.#set('epoch', epoch);
    this.#set('restored', JSON.stringify(mark));
    return epoch;
  }

  /** Gives the mark of a restore until a daemon has taken it up; null without one. */
  restored(): RestoreMark | null {
    const text = this.#get('restored');
    return text === null ? null : RestoreMark.parse(JSON.parse(text));
  }

  clearRestored(): void {
    this.#query.delete(meta).where(eq(meta.key, 'restored')).run();
  }

  #get(key: string): string | null {
    return this.#query.select().from(meta).where(eq(meta.key, key)).get()?.value ?? null;
  }

  #set(key: string, value: string): void {
    const change = { target: meta.key, set: { value } };
    this.#query.insert(meta).values({ key, value }).onConflictDoUpdate(change).run();
  }
}
