/** Rows of `budgets`. No business rule. */
import { and, eq } from 'drizzle-orm';
import type { Database } from '../db/database.ts';
import { budgets } from '../db/usage-schema.ts';

export type BudgetRow = typeof budgets.$inferSelect;
type NewRow = typeof budgets.$inferInsert;

export class BudgetStore {
  readonly #query: Database['query'];

  constructor({ query }: Database) {
    this.#query = query;
  }

  all(): BudgetRow[] {
    return this.#query.select().from(budgets).orderBy(budgets.id).all();
  }

  find({
    scopeKind,
    scopeId,
    measure,
  }: Pick<BudgetRow, 'scopeKind' | 'scopeId' | 'measure'>): BudgetRow | null {
    const ofScope = and(
      eq(budgets.scopeKind, scopeKind),
      eq(budgets.scopeId, scopeId),
      eq(budgets.measure, measure),
    );
    return this.#query.select().from(budgets).where(ofScope).get() ?? null;
  }

  insert(row: Omit<NewRow, 'id'>): BudgetRow {
    return this.#query.insert(budgets).values(row).returning().get();
  }

  update(id: number, change: Partial<Omit<BudgetRow, 'id'>>): void {
    this.#query.update(budgets).set(change).where(eq(budgets.id, id)).run();
  }

  remove(id: number): void {
    this.#query.delete(budgets).where(eq(budgets.id, id)).run();
  }
}
