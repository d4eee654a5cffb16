/** Whether work may be dispatched under its budgets. Pure. */

/** A budget at this moment; amounts in its own unit. */
export interface BudgetNow {
  id: number;
  limit: number;
  used: number;
  /** The most that one dispatch has used so far; 0 before the first has ended. */
  greatest: number;
  /** Other work under it that is at work now. */
  others: number;
}

/**
 * `spent`: nothing is left. `shared`: something is left, but the others at work may use it; it is
 * free once one of them is done.
 */
export interface BudgetDecision {
  kind: 'spent' | 'shared';
  id: number;
}

/**
 * What one at work is expected to use: this many times the greatest so far. With it, the limit is
 * passed by one dispatch at most, as long as no other uses more than that.
 */
const RESERVE = 2;

/** Null: it may begin. A budget that is spent is named before one that is shared. */
export function decideBudget(budgets: readonly BudgetNow[]): BudgetDecision | null {
  const spent = budgets.find(({ used, limit }) => used >= limit);
  if (spent !== undefined) return { kind: 'spent', id: spent.id };
  const shared = budgets.find(mayBeSpentByOthers);
  return shared === undefined ? null : { kind: 'shared', id: shared.id };
}

/** Until the first dispatch has ended nothing is known of their size, so they go one by one. */
function mayBeSpentByOthers({ limit, used, greatest, others }: BudgetNow): boolean {
  if (others === 0) return false;
  return greatest === 0 || used + others * RESERVE * greatest >= limit;
}
