/** Rows of `question_rules`. No business rule. */
import { and, eq } from 'drizzle-orm';
import type { QuestionRule } from '../../shared/schema/attention/question-rule.ts';
import type { Database } from '../db/database.ts';
import { questionRules } from '../db/usage-schema.ts';

type Fields = Omit<QuestionRule, 'id'>;

export class QuestionRuleStore {
  readonly #query: Database['query'];

  constructor({ query }: Database) {
    this.#query = query;
  }

  all(): QuestionRule[] {
    return this.#query.select().from(questionRules).orderBy(questionRules.id).all().map(toRule);
  }

  /** Replaces the one of that scope and kind; returns its id. */
  save(fields: Fields): number {
    const row = rowOf(fields);
    const isSame = and(eq(questionRules.scope, row.scope), eq(questionRules.kind, row.kind));
    const known = this.#query.select().from(questionRules).where(isSame).get();
    if (known === undefined) {
      return this.#query.insert(questionRules).values(row).returning().get().id;
    }
    this.#query.update(questionRules).set(row).where(eq(questionRules.id, known.id)).run();
    return known.id;
  }

  remove(id: number): void {
    this.#query.delete(questionRules).where(eq(questionRules.id, id)).run();
  }
}

function rowOf({ after_minutes, is_on, tried_at, changed_at, ...same }: Fields) {
  const times = { triedAt: tried_at, changedAt: changed_at };
  return { ...same, afterMinutes: after_minutes, isOn: is_on, ...times };
}

function toRule(row: typeof questionRules.$inferSelect): QuestionRule {
  const { afterMinutes, isOn, triedAt, changedAt, ...same } = row;
  const times = { tried_at: triedAt, changed_at: changedAt };
  return { ...same, after_minutes: afterMinutes, is_on: isOn, ...times };
}
