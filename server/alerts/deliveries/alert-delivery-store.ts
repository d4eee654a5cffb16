/** Rows of `alert_deliveries`: what one rule sends at once, and its outcome. No business rule. */
import { and, asc, count, desc, eq, gt, inArray, isNotNull, lt, ne, not, sql } from 'drizzle-orm';
import type { AlertDeliveryState, AlertRule } from '../../../shared/schema/alerts/alerts.ts';
import type { Database } from '../../db/database.ts';
import { alertDeliveries } from '../../db/alert-schema.ts';

export type DeliveryRow = typeof alertDeliveries.$inferSelect;

/** What an attempt or a person changes about a delivery. */
export type Settlement = Pick<DeliveryRow, 'state' | 'changedAt'> &
  Partial<Pick<DeliveryRow, 'attempts' | 'status' | 'error' | 'output' | 'dueMs' | 'body'>>;

/** Deliveries of a rule by state, and the outcome of the last attempt. */
export interface DeliveryTally extends Record<AlertDeliveryState, number> {
  last: AlertRule['last_attempt'];
}

/** By event, or by what is due first: of a rule that collects, what is retried holds the rest. */
export type DeliveryOrder = 'event' | 'due';

export interface DeliveryFilter {
  rule?: string;
  state?: AlertDeliveryState;
  limit: number;
}

export class AlertDeliveryStore {
  readonly #query: Database['query'];
  readonly #first;

  constructor({ query }: Database) {
    this.#query = query;
    // Prepared, because every round of the queue runs it for every rule.
    const prepared = (order: DeliveryOrder) =>
      query
        .select()
        .from(alertDeliveries)
        .where(
          and(
            eq(alertDeliveries.rule, sql.placeholder('rule')),
            eq(alertDeliveries.step, sql.placeholder('step')),
            isWaiting(),
          ),
        )
        .orderBy(...ORDER[order])
        .limit(1)
        .prepare();
    this.#first = { event: prepared('event'), due: prepared('due') };
  }

  /** An existing delivery stays as it is. */
  insert(row: typeof alertDeliveries.$inferInsert): void {
    this.#query.insert(alertDeliveries).values(row).onConflictDoNothing().run();
  }

  get(id: string): DeliveryRow | null {
    const rows = this.#query.select().from(alertDeliveries);
    return rows.where(eq(alertDeliveries.id, id)).get() ?? null;
  }

  /** The next waiting delivery of a step of a rule. */
  first(rule: string, step: number, order: DeliveryOrder): DeliveryRow | null {
    return this.#first[order].get({ rule, step }) ?? null;
  }

  /** The same, among those with one of these reasons. */
  firstOf(
    rule: string,
    step: number,
    order: DeliveryOrder,
    reasons: readonly string[],
  ): DeliveryRow | null {
    const rows = this.#query.select().from(alertDeliveries);
    const wanted = and(
      eq(alertDeliveries.rule, rule),
      eq(alertDeliveries.step, step),
      isWaiting(),
      inArray(alertDeliveries.reason, [...reasons]),
    );
    return (
      rows
        .where(wanted)
        .orderBy(...ORDER[order])
        .limit(1)
        .get() ?? null
    );
  }

  /** The newest delivery of a cause, in any state. */
  newestOf(rule: string, cause: string): DeliveryRow | null {
    const wanted = and(eq(alertDeliveries.rule, rule), eq(alertDeliveries.cause, cause));
    const rows = this.#query.select().from(alertDeliveries).where(wanted);
    return rows.orderBy(desc(alertDeliveries.seq)).limit(1).get() ?? null;
  }

  /** One more event for a delivery that collects. */
  add(id: string, body: string): void {
    const change = { body, events: sql`${alertDeliveries.events} + 1` };
    this.#query.update(alertDeliveries).set(change).where(eq(alertDeliveries.id, id)).run();
  }

  /** Its first attempt begins: from now on its body stays the same. */
  close(id: string, windowMs: number | null): void {
    const change = { collects: false, windowMs };
    this.#query.update(alertDeliveries).set(change).where(eq(alertDeliveries.id, id)).run();
  }

  /** What a rule collects is due at once, and its windows end. */
  release(rule: string, nowMs: number): void {
    const { dueMs, collects } = alertDeliveries;
    const of = eq(alertDeliveries.rule, rule);
    const due = { dueMs: sql`min(${dueMs}, ${nowMs})`, collects: false };
    this.#query
      .update(alertDeliveries)
      .set(due)
      .where(and(of, eq(collects, true)))
      .run();
    this.#query.update(alertDeliveries).set({ windowMs: null }).where(of).run();
  }

  /** Newest event first. */
  list({ rule, state, limit }: DeliveryFilter): DeliveryRow[] {
    const wanted = and(
      rule === undefined ? undefined : eq(alertDeliveries.rule, rule),
      state === undefined ? undefined : eq(alertDeliveries.state, state),
    );
    const rows = this.#query.select().from(alertDeliveries).where(wanted);
    return rows
      .orderBy(desc(alertDeliveries.seq), desc(sql`rowid`))
      .limit(limit)
      .all();
  }

  tally(rule: string): DeliveryTally {
    const { state, status, error, changedAt: at, attempts } = alertDeliveries;
    const counts = this.#query
      .select({ state, count: count() })
      .from(alertDeliveries)
      .where(eq(alertDeliveries.rule, rule))
      .groupBy(state)
      .all();
    const last = this.#query
      .select({ state, status, error, at })
      .from(alertDeliveries)
      .where(and(eq(alertDeliveries.rule, rule), gt(attempts, 0)))
      .orderBy(desc(at), desc(alertDeliveries.seq))
      .limit(1)
      .get();
    const found = new Map(counts.map((row) => [row.state, row.count]));
    const of = (wanted: AlertDeliveryState) => found.get(wanted) ?? 0;
    return { waiting: of('waiting'), sent: of('sent'), dead: of('dead'), last: last ?? null };
  }

  /** The delivery of a rule that arrived or died last; null before the first. */
  lastSettled(rule: string): DeliveryRow | null {
    const { attempts, changedAt, seq } = alertDeliveries;
    const wanted = and(eq(alertDeliveries.rule, rule), gt(attempts, 0), not(isWaiting()));
    const rows = this.#query.select().from(alertDeliveries).where(wanted);
    return rows.orderBy(desc(changedAt), desc(seq)).limit(1).get() ?? null;
  }

  /** True when none of an incident's deliveries has arrived or still may. */
  areAllDead(incident: string): boolean {
    const { state } = alertDeliveries;
    const others = and(eq(alertDeliveries.incident, incident), ne(state, 'dead'));
    return this.#query.select().from(alertDeliveries).where(others).limit(1).get() === undefined;
  }

  /** Delivered ones are not read. */
  countUnsent(rules: readonly string[]): Record<'waiting' | 'dead', number> {
    const { rule, state } = alertDeliveries;
    const unsent = inArray(state, ['waiting', 'dead']);
    const rows = this.#query
      .select({ state, count: count() })
      .from(alertDeliveries)
      .where(and(inArray(rule, [...rules]), unsent))
      .groupBy(state)
      .all();
    const found = new Map(rows.map((row) => [row.state, row.count]));
    return { waiting: found.get('waiting') ?? 0, dead: found.get('dead') ?? 0 };
  }

  /** False when the delivery no longer exists. */
  settle(id: string, settlement: Settlement): boolean {
    const rows = this.#query.update(alertDeliveries).set(settlement);
    return rows.where(eq(alertDeliveries.id, id)).run().changes > 0;
  }

  /** When one changed last; null before the first. */
  lastChange(): string | null {
    const rows = this.#query.select().from(alertDeliveries);
    return rows.orderBy(desc(alertDeliveries.changedAt)).limit(1).get()?.changedAt ?? null;
  }

  /**
   * Makes every waiting delivery due, and every window end, this much earlier. None changed after
   * `now`.
   */
  bringForward(byMs: number, now: string): void {
    const dueMs = sql`${alertDeliveries.dueMs} - ${byMs}`;
    const windowMs = sql`${alertDeliveries.windowMs} - ${byMs}`;
    const later = gt(alertDeliveries.changedAt, now);
    this.#query.update(alertDeliveries).set({ changedAt: now }).where(later).run();
    this.#query.update(alertDeliveries).set({ dueMs }).where(isWaiting()).run();
    const hasWindow = isNotNull(alertDeliveries.windowMs);
    this.#query.update(alertDeliveries).set({ windowMs }).where(hasWindow).run();
  }

  /** Ends what waits for steps after this one. */
  dropSteps(rule: string, after: number, settlement: Settlement): void {
    const removed = and(eq(alertDeliveries.rule, rule), gt(alertDeliveries.step, after));
    this.#query.update(alertDeliveries).set(settlement).where(and(removed, isWaiting())).run();
  }

  deleteOf(rule: string): void {
    this.#query.delete(alertDeliveries).where(eq(alertDeliveries.rule, rule)).run();
  }

  /** Removes finished deliveries of events before `seq`. */
  prune(seq: number): void {
    const over = and(lt(alertDeliveries.seq, seq), ne(alertDeliveries.state, 'waiting'));
    this.#query.delete(alertDeliveries).where(over).run();
  }
}

const ORDER = {
  event: [asc(alertDeliveries.seq)],
  due: [
    desc(gt(alertDeliveries.attempts, 0)),
    asc(alertDeliveries.dueMs),
    asc(alertDeliveries.seq),
  ],
};

function isWaiting() {
  return eq(alertDeliveries.state, 'waiting');
}
