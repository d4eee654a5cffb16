/** Rows of `push_subscriptions`. No business rule. */
import { asc, eq, inArray, sql } from 'drizzle-orm';
import type { Database } from '../db/database.ts';
import { pushSubscriptions } from '../db/schema.ts';

export type PushRow = typeof pushSubscriptions.$inferSelect;

export class PushSubscriptionStore {
  readonly #query: Database['query'];

  constructor({ query }: Database) {
    this.#query = query;
  }

  /** Oldest first. */
  list(): PushRow[] {
    return this.#query
      .select()
      .from(pushSubscriptions)
      .orderBy(asc(sql`rowid`))
      .all();
  }

  get(id: string): PushRow | null {
    const rows = this.#query.select().from(pushSubscriptions);
    return rows.where(eq(pushSubscriptions.id, id)).get() ?? null;
  }

  /** Replaces the row of the same browser. */
  put(row: PushRow): void {
    const { id, ...changed } = row;
    const insert = this.#query.insert(pushSubscriptions).values(row);
    insert.onConflictDoUpdate({ target: pushSubscriptions.id, set: changed }).run();
  }

  patch(id: string, change: Partial<Omit<PushRow, 'id'>>): void {
    this.#query.update(pushSubscriptions).set(change).where(eq(pushSubscriptions.id, id)).run();
  }

  delete(ids: readonly string[]): void {
    this.#query.delete(pushSubscriptions).where(inArray(pushSubscriptions.id, ids)).run();
  }
}
