/**
 * Rows of `meta`: the epoch that names the life of this database, the mark of a restore, the
 * versions of the client that people trust, and how the tests of versions went.
 */
import { eq } from 'drizzle-orm';
import { z } from 'zod';
import { ClientTestResult } from '../../shared/schema/agents/client-versions.ts';
import { randomId } from '../lib/random-id.ts';
import type { Database } from './database.ts';
import { meta } from './schema.ts';

const RestoreMark = z.strictObject({
  /** When it was restored. */
  at: z.iso.datetime(),
  /**
   * Loops that the backup holds and the replaced database did not, or could not be read for: they
   * may have ended in between. Null, meaning all of them, only in marks of older versions.
   */
  ended_runs: z.array(z.string()).nullable(),
});
export type RestoreMark = z.infer<typeof RestoreMark>;

/** Newer versions of the client that may be typed into, who said so, and when. */
const TrustedClients = z.array(
  z.strictObject({ version: z.string(), by: z.string(), at: z.iso.datetime() }),
);
const ClientTests = z.record(z.string(), ClientTestResult);
type TrustedClients = z.infer<typeof TrustedClients>;

export class MetaStore {
  readonly #query: Database['query'];

  constructor({ query }: Pick<Database, 'query'>) {
    this.#query = query;
  }

  /** A new database gets its first epoch here. */
  epoch(): string {
    const created = { key: 'epoch', value: randomId() };
    this.#query.insert(meta).values(created).onConflictDoNothing().run();
    return this.#get('epoch') ?? '';
  }

  /**
   * Starts another life: a new epoch, so that no cursor of the old one is mistaken for one of this,
   * and a mark for the next daemon. What was trusted is trusted no longer: a backup gives no right
   * to type. Returns the epoch.
   */
  markRestored(mark: RestoreMark): string {
    const epoch = randomId();
    this.#set('epoch', epoch);
    this.#set('restored', JSON.stringify(mark));
    this.saveTrustedClients([]);
    return epoch;
  }

  /** The mark of a restore, until a daemon has handled it. */
  restored(): RestoreMark | null {
    const text = this.#get('restored');
    return text === null ? null : RestoreMark.parse(JSON.parse(text));
  }

  clearRestored(): void {
    this.#query.delete(meta).where(eq(meta.key, 'restored')).run();
  }

  /** Empty where the row is damaged: nothing is trusted then. */
  trustedClients(): TrustedClients {
    try {
      return TrustedClients.parse(JSON.parse(this.#get('trusted_clients') ?? '[]'));
    } catch {
      return [];
    }
  }

  saveTrustedClients(rows: TrustedClients): void {
    this.#set('trusted_clients', JSON.stringify(rows));
  }

  /** How each version went, by its name; empty where the row is damaged. */
  clientTests(): Record<string, ClientTestResult> {
    try {
      return ClientTests.parse(JSON.parse(this.#get('client_tests') ?? '{}'));
    } catch {
      return {};
    }
  }

  saveClientTests(tests: Record<string, ClientTestResult>): void {
    this.#set('client_tests', JSON.stringify(tests));
  }

  /** Proves that the database takes a commit. Throws what it throws. */
  saveCheckIn(at: string): void {
    this.#set('check_in', at);
  }

  #get(key: string): string | null {
    return this.#query.select().from(meta).where(eq(meta.key, key)).get()?.value ?? null;
  }

  #set(key: string, value: string): void {
    const change = { target: meta.key, set: { value } };
    this.#query.insert(meta).values({ key, value }).onConflictDoUpdate(change).run();
  }
}
