/** Budgets in words, the same on the page, in the shell and in evidence. */
import type { Budget, BudgetMeasure } from '../../schema/usage/budget.ts';
import type { EventData } from '../../schema/events/events.ts';

const LABEL: Record<BudgetMeasure, string> = {
  cost: 'Cost',
  tokens: 'Output tokens',
  minutes: 'Minutes',
};

/** "$1.50", "12,000 output tokens" or "90 min". */
export function budgetAmount(measure: BudgetMeasure, amount: number): string {
  if (measure === 'cost') return `$${amount.toFixed(2)}`;
  const whole = Math.round(amount).toLocaleString('en');
  return measure === 'tokens' ? `${whole} output tokens` : `${whole} min`;
}

/** "today", "everything", or "task fix-login". */
export function scopeText(scope: string): string {
  if (scope === 'all') return 'everything';
  if (scope === 'day') return 'today';
  const at = scope.indexOf(':');
  return `${scope.slice(0, at)} ${scope.slice(at + 1)}`;
}

/** "Cost of today: $10.20 of $10.00 used, $3.00 on other hosts". */
export function budgetText(
  budget: Pick<Budget, 'scope' | 'measure' | 'used' | 'limit' | 'elsewhere'>,
): string {
  const { scope, measure, used, limit } = budget;
  const [part, whole] = [budgetAmount(measure, used), budgetAmount(measure, limit)];
  const elsewhere = elsewhereText(budget);
  const more = elsewhere === '' ? '' : `, ${elsewhere}`;
  return `${LABEL[measure]} of ${scopeText(scope)}: ${part} of ${whole} used${more}`;
}

/** "$3.00 on other hosts"; empty when nothing was used there. */
export function elsewhereText({ measure, elsewhere }: Pick<Budget, 'measure' | 'elsewhere'>) {
  return elsewhere > 0 ? `${budgetAmount(measure, elsewhere)} on other hosts` : '';
}

/** What a click on Raise offers: half as much again, and above what is used. */
export function raisedLimit({ measure, used, limit }: Pick<Budget, 'measure' | 'used' | 'limit'>) {
  const target = Math.max(limit, used) * 1.5;
  return measure === 'cost' ? Math.ceil(target * 100) / 100 : Math.ceil(target);
}

export function budgetSetText({ scope, measure, limit, before, why }: EventData<'budget.set'>) {
  const from = before === null ? '' : `, before ${budgetAmount(measure, before)}`;
  return `Budget of ${scopeText(scope)} set to ${budgetAmount(measure, limit)}${from}${because(why)}`;
}

export function budgetRaisedText(raised: EventData<'budget.raised'>): string {
  const { scope, measure, limit, before, why } = raised;
  const [from, to] = [budgetAmount(measure, before), budgetAmount(measure, limit)];
  return `Budget of ${scopeText(scope)} raised from ${from} to ${to}${because(why)}`;
}

export function budgetRemovedText({ scope, measure, limit }: EventData<'budget.removed'>): string {
  return `Budget of ${scopeText(scope)} removed: ${budgetAmount(measure, limit)}`;
}

function because(why: string): string {
  return why === '' ? '' : ` (${why})`;
}
