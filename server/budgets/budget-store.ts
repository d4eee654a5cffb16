/** Rows of `budgets`, and the time at work that they count. No business rule. */
import { and, eq, sql } from 'drizzle-orm';
import type { Database } from '../db/database.ts';
import { budgets, usageWorked } from '../db/usage-schema.ts';
import type { BudgetedWork } from './budgeted-work.ts';

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

  /** Adds time at work, by day in UTC. Part of the caller's transaction. */
  addWorked({ subject, project, person }: BudgetedWork, workedMs: number, day: string): void {
    const about = { day, subjectKind: subject.kind, subjectId: subject.id, project, person };
    const {
      day: ofDay,
      subjectKind,
      subjectId,
      project: ofProject,
      person: ofPerson,
    } = usageWorked;
    this.#query
      .insert(usageWorked)
      .values({ ...about, workedMs })
      .onConflictDoUpdate({
        target: [ofDay, subjectKind, subjectId, ofProject, ofPerson],
        set: { workedMs: sql`${usageWorked.workedMs} + ${workedMs}` },
      })
      .run();
  }
}
