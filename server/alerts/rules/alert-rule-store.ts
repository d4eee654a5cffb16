/** Rows of `alert_rules`. No business rule. */
import { and, asc, eq, lt, sql } from 'drizzle-orm';
import type { QuietHours } from '../../../shared/schema/alerts/alerts.ts';
import type { Database } from '../../db/database.ts';
import { alertRules } from '../../db/alert-schema.ts';
import type { Rule, Step, Target } from './rule.ts';

type Row = typeof alertRules.$inferSelect;

export class AlertRuleStore {
  readonly #query: Database['query'];
  readonly #list;

  constructor({ query }: Database) {
    this.#query = query;
    // Prepared, because it runs for every event.
    this.#list = query
      .select()
      .from(alertRules)
      .orderBy(asc(sql`rowid`))
      .prepare();
  }

  insert(rule: Rule): void {
    this.#query.insert(alertRules).values(toRow(rule)).run();
  }

  get(id: string): Rule | null {
    const row = this.#query.select().from(alertRules).where(eq(alertRules.id, id)).get();
    return row === undefined ? null : toRule(row);
  }

  /** Oldest first. */
  list(): Rule[] {
    return this.#list.all().map(toRule);
  }

  replace(rule: Rule): void {
    this.#query.update(alertRules).set(toRow(rule)).where(eq(alertRules.id, rule.id)).run();
  }

  disable(id: string): void {
    this.#query.update(alertRules).set({ enabled: false }).where(eq(alertRules.id, id)).run();
  }

  /** Moves the cursor of every enabled rule up to a seq, never back. */
  advance(cursor: number): void {
    const behind = and(eq(alertRules.enabled, true), lt(alertRules.cursor, cursor));
    this.#query.update(alertRules).set({ cursor }).where(behind).run();
  }

  delete(id: string): void {
    this.#query.delete(alertRules).where(eq(alertRules.id, id)).run();
  }
}

function toRow(rule: Rule): Row {
  const { types, sessions, tasks, subjects, reasons, quietHours, target, steps, ...same } = rule;
  const { secret = null, ...shown } = { secret: undefined, ...target };
  return {
    ...same,
    filter: JSON.stringify({ types, sessions, tasks, subjects, reasons }),
    quietHours: quietHours === null ? null : JSON.stringify(quietHours),
    target: JSON.stringify(shown),
    steps: steps.length === 0 ? null : JSON.stringify(steps),
    secret,
  };
}

/** Rows were checked before they were written. */
function toRule({ filter, quietHours, target, secret, steps, ...same }: Row): Rule {
  const shown = JSON.parse(target) as Target;
  return {
    ...same,
    // A rule of an older version names none.
    tasks: null,
    subjects: null,
    ...(JSON.parse(filter) as Pick<Rule, 'types' | 'sessions' | 'reasons'> & Partial<Rule>),
    steps: steps === null ? [] : (JSON.parse(steps) as Step[]),
    quietHours: quietHours === null ? null : (JSON.parse(quietHours) as QuietHours),
    target:
      shown.kind === 'command' || shown.kind === 'push'
        ? shown
        : { ...shown, secret: secret ?? '' },
  };
}
