/** Rows of `budgets`, and the time at work that they count. No business rule. */
import { and, eq, sql } from 'drizzle-orm';
import type { Database } from '../db/database.ts';
import { budgets, usageWorked } from '../db/usage-schema.ts';
import type { BudgetedWork } from './budgeted-work.ts';

export type BudgetRow = typeof budgets.$inferSelect;
type NewRow = typeof budgets.$inferInsert;

export class BudgetStore {
  readonly #query: Database['query'];
  readonly #addWorked;

  constructor({ query }: Database) {
    this.#query = query;
    const { day, subjectKind, subjectId, project, person, workedMs } = usageWorked;
    this.#addWorked = query
      .insert(usageWorked)
      .values({
        day: sql.placeholder('day'),
        subjectKind: sql.placeholder('subjectKind'),
        subjectId: sql.placeholder('subjectId'),
        project: sql.placeholder('project'),
        person: sql.placeholder('person'),
        workedMs: sql.placeholder('workedMs'),
      })
      .onConflictDoUpdate({
        target: [day, subjectKind, subjectId, project, person],
        set: { workedMs: sql`${workedMs} + excluded.${sql.identifier(workedMs.name)}` },
      })
      .prepare();
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
    this.#addWorked.run({ ...about, workedMs });
  }
}
