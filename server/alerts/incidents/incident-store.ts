/** Rows of `alert_incidents`. No business rule. */
import { and, asc, desc, eq, gt, isNotNull, isNull, lt, lte, min, sql } from 'drizzle-orm';
import type { Database } from '../../db/database.ts';
import { alertIncidents } from '../../db/alert-schema.ts';
import type { Escalation } from './escalate.ts';

export type IncidentRow = typeof alertIncidents.$inferSelect;

export type Acknowledgement = {
  [Key in 'acknowledgedAt' | 'acknowledgedBy' | 'acknowledgedVia']: NonNullable<IncidentRow[Key]>;
};

export class IncidentStore {
  readonly #query: Database['query'];

  constructor({ query }: Database) {
    this.#query = query;
  }

  /** An existing incident stays as it is. */
  insert(row: typeof alertIncidents.$inferInsert): void {
    this.#query.insert(alertIncidents).values(row).onConflictDoNothing().run();
  }

  get(id: string): IncidentRow | null {
    const rows = this.#query.select().from(alertIncidents);
    return rows.where(eq(alertIncidents.id, id)).get() ?? null;
  }

  /** Newest first. */
  list(isOpen: boolean, limit: number): IncidentRow[] {
    const rows = this.#query.select().from(alertIncidents);
    return rows
      .where(isOpen ? isNull(alertIncidents.acknowledgedAt) : undefined)
      .orderBy(desc(alertIncidents.seq), desc(sql`rowid`))
      .limit(limit)
      .all();
  }

  /** Those whose next step is due, oldest first. */
  due(nowMs: number): IncidentRow[] {
    const rows = this.#query.select().from(alertIncidents);
    return rows.where(lte(alertIncidents.dueMs, nowMs)).orderBy(asc(alertIncidents.seq)).all();
  }

  /** Unacknowledged ones that an inbox item raised. */
  ofItems(): IncidentRow[] {
    const isOpen = and(isNull(alertIncidents.acknowledgedAt), isNotNull(alertIncidents.item));
    return this.#query.select().from(alertIncidents).where(isOpen).all();
  }

  /** When the next step after now is due; null when none is. */
  nextDueMs(nowMs: number): number | null {
    const next = this.#query.select({ at: min(alertIncidents.dueMs) }).from(alertIncidents);
    return next.where(gt(alertIncidents.dueMs, nowMs)).get()?.at ?? null;
  }

  add(id: string, more: Pick<IncidentRow, 'body' | 'title' | 'item'>): void {
    this.#query.update(alertIncidents).set(more).where(eq(alertIncidents.id, id)).run();
  }

  advance(id: string, next: Escalation): void {
    this.#query.update(alertIncidents).set(next).where(eq(alertIncidents.id, id)).run();
  }

  /** Ends its steps. */
  acknowledge(id: string, how: Acknowledgement): void {
    const change = { ...how, dueMs: null };
    this.#query.update(alertIncidents).set(change).where(eq(alertIncidents.id, id)).run();
  }

  /** Makes every step due this much earlier. */
  bringForward(byMs: number): void {
    const dueMs = sql`${alertIncidents.dueMs} - ${byMs}`;
    this.#query.update(alertIncidents).set({ dueMs }).where(isNotNull(alertIncidents.dueMs)).run();
  }

  deleteOf(rule: string): void {
    this.#query.delete(alertIncidents).where(eq(alertIncidents.rule, rule)).run();
  }

  /** Removes those of events before `seq` that no step waits for. */
  prune(seq: number): void {
    const over = and(lt(alertIncidents.seq, seq), isNull(alertIncidents.dueMs));
    this.#query.delete(alertIncidents).where(over).run();
  }
}
