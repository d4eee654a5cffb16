/** What each dispatch used, from the totals of its subject before and after it. */
import { subjectRef } from '../../shared/schema/events/subject.ts';
import type { Amounts, BudgetedWork } from './budgeted-work.ts';

export interface EndedDispatch {
  work: BudgetedWork;
  used: Amounts;
}

export class DispatchMeter {
  readonly #totalsOf: (work: BudgetedWork) => Amounts;
  readonly #open = new Map<string, { work: BudgetedWork; before: Amounts }>();

  /** `totalsOf`: what the subject has used so far. */
  constructor(totalsOf: (work: BudgetedWork) => Amounts) {
    this.#totalsOf = totalsOf;
  }

  /** Gives the dispatch of the same subject that has ended, if one was seen to begin. */
  began(work: BudgetedWork): EndedDispatch[] {
    const ended = this.#end(work);
    this.#open.set(subjectRef(work.subject), { work, before: this.#totalsOf(work) });
    return ended;
  }

  /** Gives those whose subject is not at work any more. */
  endedBut(atWork: readonly BudgetedWork[]): EndedDispatch[] {
    const refs = new Set(atWork.map(({ subject }) => subjectRef(subject)));
    const ended = [...this.#open].filter(([ref]) => !refs.has(ref));
    return ended.flatMap(([, { work }]) => this.#end(work));
  }

  #end(work: BudgetedWork): EndedDispatch[] {
    const ref = subjectRef(work.subject);
    const open = this.#open.get(ref);
    if (open === undefined) return [];
    this.#open.delete(ref);
    const now = this.#totalsOf(work);
    const { cost, tokens, minutes } = open.before;
    const used = {
      cost: now.cost - cost,
      tokens: now.tokens - tokens,
      minutes: now.minutes - minutes,
    };
    return [{ work, used }];
  }
}
