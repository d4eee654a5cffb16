/** Rows of `idempotency_keys`. No business rule. */
import { and, asc, count, eq, lt } from 'drizzle-orm';
import type { Database } from '../db/database.ts';
import { idempotencyKeys } from '../db/schema.ts';

export type KeyRow = typeof idempotencyKeys.$inferSelect;

export class KeyStore {
  readonly #query: Database['query'];

  constructor({ query }: Database) {
    this.#query = query;
  }

  find(actor: string, key: string): KeyRow | null {
    return this.#query.select().from(idempotencyKeys).where(isOf(actor, key)).get() ?? null;
  }

  insert(row: Pick<KeyRow, 'actor' | 'key' | 'request' | 'begunAtMs' | 'state'>): void {
    this.#query.insert(idempotencyKeys).values(row).run();
  }

  patch(actor: string, key: string, change: Partial<KeyRow>): void {
    this.#query.update(idempotencyKeys).set(change).where(isOf(actor, key)).run();
  }

  remove(actor: string, key: string): void {
    this.#query.delete(idempotencyKeys).where(isOf(actor, key)).run();
  }

  removeBefore(begunAtMs: number): void {
    this.#query.delete(idempotencyKeys).where(lt(idempotencyKeys.begunAtMs, begunAtMs)).run();
  }

  countOf(actor: string): number {
    const rows = this.#query.select({ count: count() }).from(idempotencyKeys);
    return rows.where(eq(idempotencyKeys.actor, actor)).get()?.count ?? 0;
  }

  oldestAnswered(actor: string): string | null {
    const isAnswered = eq(idempotencyKeys.state, 'answered');
    const rows = this.#query.select({ key: idempotencyKeys.key }).from(idempotencyKeys);
    const ours = rows.where(and(eq(idempotencyKeys.actor, actor), isAnswered));
    return ours.orderBy(asc(idempotencyKeys.begunAtMs)).limit(1).get()?.key ?? null;
  }
}

function isOf(actor: string, key: string) {
  return and(eq(idempotencyKeys.actor, actor), eq(idempotencyKeys.key, key));
}
