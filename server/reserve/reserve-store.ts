/** The row of `reserve_policies`. No business rule. */
import type { Database } from '../db/database.ts';
import { reservePolicies } from '../db/usage-schema.ts';

export type ReserveRow = Omit<typeof reservePolicies.$inferSelect, 'id'>;

export class ReserveStore {
  readonly #query: Database['query'];

  constructor({ query }: Database) {
    this.#query = query;
  }

  find(): ReserveRow | null {
    return this.#query.select().from(reservePolicies).get() ?? null;
  }

  save(row: ReserveRow): void {
    this.#query
      .insert(reservePolicies)
      .values({ id: 1, ...row })
      .onConflictDoUpdate({ target: reservePolicies.id, set: row })
      .run();
  }

  remove(): void {
    this.#query.delete(reservePolicies).run();
  }
}
