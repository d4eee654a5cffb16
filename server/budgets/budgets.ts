/**
 * Hard limits in money, tokens and minutes, checked before each dispatch and at each safe point. All
 * supervisors share one: it knows what is used, what is at work, and who waits.
 */
import type { Budget, RaiseBudget, SetBudget } from '../../shared/schema/usage/budget.ts';
import { budgetAmount, budgetText } from '../../shared/words/usage/budget-text.ts';
import type { Database } from '../db/database.ts';
import type { EventLog } from '../events/event-log.ts';
import { AppError } from '../lib/app-error.ts';
import { type Clock, type Timer, toIso } from '../lib/clock.ts';
import type { Reserve } from '../reserve/reserve.ts';
import type { SharedPlan } from '../usage/shared-plan.ts';
import { type BudgetRow, BudgetStore } from './budget-store.ts';
import { BudgetUse } from './budget-use.ts';
import {
  type Amounts,
  amountsOf,
  type BudgetedWork,
  type BudgetHold,
  covers,
  limitOf,
  NOTHING,
  readScope,
  refOf,
  scopeOf,
  UNIT,
  type WorkNow,
} from './budgeted-work.ts';
import { decideBudget } from './decide-budget.ts';
import { DispatchMeter } from './dispatch-meter.ts';

const DAY_MS = 86_400_000;

export interface BudgetsOptions {
  database: Database;
  log: EventLog;
  clock: Clock;
  /** What is kept for people, checked at the same gate. */
  reserve: Reserve;
  /** Other hosts with this account: the budget of the day counts their use too. */
  shared: SharedPlan;
}

export class Budgets {
  readonly #options: BudgetsOptions;
  readonly #store: BudgetStore;
  readonly #use: BudgetUse;
  readonly #meter: DispatchMeter;
  readonly #sources: (() => WorkNow)[] = [];
  readonly #changed: (() => void)[] = [];
  #rows: BudgetRow[];
  #soon: Timer | null = null;

  constructor(options: BudgetsOptions) {
    this.#options = options;
    this.#store = new BudgetStore(options.database);
    this.#use = new BudgetUse(options.database, options.clock, options.shared);
    this.#meter = new DispatchMeter((work) => this.#use.ofSubject(work.subject));
    this.#rows = this.#store.all();
    options.reserve.onChange(() => this.#announce());
  }

  /** The work of one kind of supervisor. */
  addSource(now: () => WorkNow): void {
    this.#sources.push(now);
  }

  /** A budget, the reserve or a window of the plan changed: what waits is checked again. */
  onChange(changed: () => void): void {
    this.#changed.push(changed);
  }

  /** Null: it may be dispatched. `more`: used by it, and not stored yet. */
  check(work: BudgetedWork, more: Amounts = NOTHING): BudgetHold | null {
    const found = this.#decide(work, more);
    if (found === null) {
      const hold = this.#options.reserve.check(refOf(work), () => this.refsAtWork());
      return hold && { reason: 'reserve', ...hold };
    }
    const { kind, row, used } = found;
    const untilMs = row.scopeKind === 'day' ? Date.parse(this.#use.today()) + DAY_MS : null;
    const text = budgetText(amountsOf(row, used, this.#use.elsewhere(row)));
    return { reason: 'budget', kind, text, untilMs };
  }

  /** A dispatch of it begins, so that the one before has ended. Its usage is stored. */
  began(work: BudgetedWork): void {
    if (this.#rows.length > 0) this.#settle(this.#meter.began(work));
    this.#options.reserve.began(refOf(work));
  }

  /** Some work ended: what waits for its share is checked again, in the next turn of the event loop. */
  freed(): void {
    this.#soon ??= this.#options.clock.after(0, () => {
      this.#soon = null;
      this.#announce();
    });
  }

  dispose(): void {
    this.#soon?.cancel();
  }

  /** Time at work; part of the transaction that stores it. */
  worked(work: BudgetedWork, workedMs: number): void {
    if (workedMs > 0) this.#store.addWorked(work, Math.round(workedMs), this.#use.today());
  }

  /** Of all work that may use something at this moment. */
  refsAtWork(): string[] {
    return this.#sources.flatMap((source) => source().atWork.map(refOf));
  }

  /** Of the work that waits for the reserve. */
  refsReserved(): string[] {
    const held = this.#waiting().filter((work) => this.check(work)?.reason === 'reserve');
    return held.map(refOf);
  }

  list(): Budget[] {
    const waiting = this.#waiting();
    const held = waiting.map((work) => ({ ref: refOf(work), id: this.#decide(work)?.row.id }));
    return this.#rows.map((row) => ({
      ...this.#view(row),
      holding: held.filter(({ id }) => id === row.id).map(({ ref }) => ref),
    }));
  }

  /** Replaces the one of that scope and measure. */
  set({ scope, measure, limit, why }: SetBudget, author: string): Budget {
    const { log, clock } = this.#options;
    const place = { ...readScope(scope), measure };
    const isOfWork = ['task', 'run', 'loop'].includes(place.scopeKind);
    const change = { limit: limitOf(measure, limit), author, why, changedAt: toIso(clock.now()) };
    const id = log.write((append) => {
      const known = this.#store.find(place);
      // What a task, a run or a loop used counts from its beginning.
      const since = isOfWork ? '' : this.#use.today();
      const fresh = { ...place, ...change, since, greatest: 0 };
      const row = known ?? this.#store.insert(fresh);
      if (known !== null) this.#store.update(row.id, change);
      const before = known === null ? null : known.limit / UNIT[measure];
      append({
        type: 'budget.set',
        data: { id: row.id, scope: scopeOf(place), measure, limit, before, why, author },
      });
      return row.id;
    });
    return this.#reload(id);
  }

  /** Throws `budget_unknown`, and `budget_not_raised` for a limit that is not above the old one. */
  raise(id: number, { limit, why }: RaiseBudget, author: string): Budget {
    const { log, clock } = this.#options;
    const row = this.#row(id);
    const { scope, measure, limit: before, used } = this.#view(row);
    if (limitOf(measure, limit) <= row.limit) {
      const text = `the budget is ${budgetAmount(measure, before)} already; give a higher limit, or set it again`;
      throw new AppError('budget_not_raised', text);
    }
    const change = { limit: limitOf(measure, limit), author, why, changedAt: toIso(clock.now()) };
    log.write((append) => {
      this.#store.update(id, change);
      const data = { id, scope, measure, limit, before, used, why, author };
      append({ type: 'budget.raised', data });
    });
    return this.#reload(id);
  }

  /** Throws `budget_unknown`. */
  remove(id: number, author: string): void {
    const { scope, measure, limit } = this.#view(this.#row(id));
    this.#options.log.write((append) => {
      this.#store.remove(id);
      append({ type: 'budget.removed', data: { id, scope, measure, limit, author } });
    });
    this.#rows = this.#store.all();
    this.#announce();
  }

  #reload(id: number): Budget {
    this.#rows = this.#store.all();
    this.#announce();
    const budget = this.list().find((each) => each.id === id);
    if (budget === undefined) throw new Error('the budget was removed');
    return budget;
  }

  #waiting(): BudgetedWork[] {
    return this.#sources.flatMap((source) => source().waiting);
  }

  #announce(): void {
    for (const changed of this.#changed) changed();
  }

  #row(id: number): BudgetRow {
    const row = this.#rows.find((each) => each.id === id);
    if (row !== undefined) return row;
    throw new AppError(
      'budget_unknown',
      'no budget with that id; list them with: loopwatch budget ls',
    );
  }

  #view(row: BudgetRow): Omit<Budget, 'holding'> {
    const { id, author, why, changedAt } = row;
    const since = this.#use.since(row);
    return {
      id,
      ...amountsOf(row, this.#use.of(row), this.#use.elsewhere(row)),
      since: since === '' ? null : since,
      is_partial: row.measure === 'cost' && this.#use.isPartial(row),
      author,
      why,
      changed_at: changedAt,
    };
  }

  #decide(work: BudgetedWork, more: Amounts = NOTHING) {
    const rows = this.#rows.filter((row) => covers(row, work));
    if (rows.length === 0) return null;
    const ref = refOf(work);
    const atWork = this.#sources.flatMap((source) => source().atWork);
    const others = atWork.filter((other) => refOf(other) !== ref);
    this.#settle(this.#meter.endedBut([work, ...others]));
    const now = rows.map((row) => ({
      row,
      id: row.id,
      limit: row.limit,
      greatest: row.greatest,
      used: this.#use.of(row) + more[row.measure],
      others: others.filter((other) => covers(row, other)).length,
    }));
    const decision = decideBudget(now);
    const held = now.find(({ id }) => id === decision?.id);
    return decision === null || held === undefined ? null : { ...held, kind: decision.kind };
  }

  /** Remembers what ended dispatches used, where one used more than any before it. */
  #settle(ended: readonly { work: BudgetedWork; used: Amounts }[]): void {
    for (const { work, used } of ended) {
      for (const row of this.#rows) {
        if (!covers(row, work) || used[row.measure] <= row.greatest) continue;
        this.#store.update(row.id, { greatest: used[row.measure] });
        row.greatest = used[row.measure];
      }
    }
  }
}
