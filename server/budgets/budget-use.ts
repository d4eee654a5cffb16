/** What the ledger and the time at work say was used under a budget. */
import type { BudgetScopeKind } from '../../shared/schema/usage/budget.ts';
import { DAYS_SHARED, type PlanShare } from '../../shared/schema/fleet.ts';
import { type Subject } from '../../shared/schema/events/subject.ts';
import type { Database } from '../db/database.ts';
import { type Clock, toIso } from '../lib/clock.ts';
import { daysOfPeople, type PersonDay } from '../usage/days-of-people.ts';
import type { SharedPlan } from '../usage/shared-plan.ts';
import type { BudgetRow } from './budget-store.ts';
import { type Amounts, NOTHING, type Scope } from './budgeted-work.ts';

const DAY_MS = 86_400_000;

const IS_COVERED: Record<BudgetScopeKind, string> = {
  all: ':id = :id',
  day: ':id = :id',
  person: 'person = :id',
  project: 'project = :id',
  task: "subject_kind = 'task' AND subject_id = :id",
  run: "subject_kind = 'run' AND subject_id = :id",
  loop: "subject_kind = 'loop' AND subject_id = :id",
};

export class BudgetUse {
  readonly #raw: Database['raw'];
  readonly #clock: Clock;
  readonly #shared: SharedPlan;

  constructor({ raw }: Database, clock: Clock, shared: SharedPlan) {
    this.#raw = raw;
    this.#shared = shared;
    this.#clock = clock;
  }

  /** The day in UTC. */
  today(): string {
    return toIso(this.#clock.now()).slice(0, 10);
  }

  /** By all work of this host since midnight UTC. */
  usedToday(): { day: string } & Amounts {
    const day = this.today();
    return { day, ...this.#here({ scopeKind: 'day', scopeId: '' }, day) };
  }

  /** The first day that counts for a budget; '' for all days. */
  since({ scopeKind, since }: BudgetRow): string {
    return scopeKind === 'day' ? this.today() : since;
  }

  /** By this host in the last weeks, as it reports it. */
  ofPeople(): PlanShare['people'] {
    const from = toIso(this.#clock.now() - DAYS_SHARED * DAY_MS).slice(0, 10);
    const rows = this.#raw
      .prepare(
        `SELECT day, person, coalesce(sum(cost_micros), 0) AS cost, sum(output_tokens) AS tokens,
           0 AS minutes FROM usage_days WHERE day > :from GROUP BY day, person
         UNION ALL SELECT day, person, 0, 0, sum(worked_ms)
           FROM usage_worked WHERE day > :from GROUP BY day, person`,
      )
      .all({ from });
    return daysOfPeople(rows as PersonDay[], this.today());
  }

  /** Under a budget, in the unit of its measure. */
  of(row: BudgetRow): number {
    return this.#here(row, this.since(row))[row.measure] + this.elsewhere(row);
  }

  /** The part of it that other hosts with this account used. Directories and work are of one host. */
  elsewhere(row: BudgetRow): number {
    const { scopeKind, scopeId, measure } = row;
    if (scopeKind !== 'day' && scopeKind !== 'all' && scopeKind !== 'person') return 0;
    const person = scopeKind === 'person' ? scopeId : null;
    return this.#shared.usedSince(this.since(row), person)[measure];
  }

  /** On this host since that day, included. */
  #here({ scopeKind, scopeId: id }: Scope, since: string): Amounts {
    const where = `day >= :since AND ${IS_COVERED[scopeKind]}`;
    const spent = this.#raw
      .prepare(
        `SELECT coalesce(sum(cost_micros), 0) AS cost, coalesce(sum(output_tokens), 0) AS tokens
         FROM usage_days WHERE ${where}`,
      )
      .get({ since, id }) as Pick<Amounts, 'cost' | 'tokens'>;
    const worked = this.#raw
      .prepare(`SELECT coalesce(sum(worked_ms), 0) AS minutes FROM usage_worked WHERE ${where}`)
      .get({ since, id }) as Pick<Amounts, 'minutes'>;
    return { ...NOTHING, ...spent, ...worked };
  }

  /** Of one subject, ever. */
  ofSubject({ kind, id }: Subject): Amounts {
    const isLimited = kind === 'task' || kind === 'run' || kind === 'loop';
    return isLimited ? this.#here({ scopeKind: kind, scopeId: id }, '') : NOTHING;
  }

  /** Whether some work under it has tokens and no cost at all. */
  isPartial(row: BudgetRow): boolean {
    const { scopeKind, scopeId: id } = row;
    const found = this.#raw
      .prepare(
        `SELECT 1 FROM usage_days WHERE day >= :since AND ${IS_COVERED[scopeKind]}
         GROUP BY subject_kind, subject_id
         HAVING sum(output_tokens) > 0 AND count(cost_micros) = 0 LIMIT 1`,
      )
      .get({ since: this.since(row), id });
    return found !== undefined;
  }
}
