/** What a budget limits, and which budgets hold for it. */
import type { BudgetMeasure, BudgetScopeKind } from '../../shared/schema/budget.ts';
import type { Subject } from '../../shared/schema/subject.ts';

/** Work that is dispatched, as the ledger names it. '' where project or person is not known. */
export interface BudgetedWork {
  subject: Subject;
  project: string;
  person: string;
}

/** In the units of the rows: millionths of a US dollar, output tokens, milliseconds. */
export type Amounts = Record<BudgetMeasure, number>;

export const NOTHING: Amounts = { cost: 0, tokens: 0, minutes: 0 };

/** Row units in one unit of the API. */
export const UNIT: Amounts = { cost: 1_000_000, tokens: 1, minutes: 60_000 };

export interface Scope {
  scopeKind: BudgetScopeKind;
  scopeId: string;
}

export function covers({ scopeKind, scopeId }: Scope, work: BudgetedWork): boolean {
  switch (scopeKind) {
    case 'all':
    case 'day':
      return true;
    case 'person':
      return work.person === scopeId;
    case 'project':
      return work.project === scopeId;
    default:
      return work.subject.kind === scopeKind && work.subject.id === scopeId;
  }
}

export function scopeOf({ scopeKind, scopeId }: Scope): string {
  return scopeId === '' ? scopeKind : `${scopeKind}:${scopeId}`;
}

export function readScope(scope: string): Scope {
  const at = scope.indexOf(':');
  return at < 0
    ? { scopeKind: scope as BudgetScopeKind, scopeId: '' }
    : { scopeKind: scope.slice(0, at) as BudgetScopeKind, scopeId: scope.slice(at + 1) };
}

/** What an input of a supervisor's machine reports as used, before it is stored. */
export function unstoredUse(input: object, workedMs: number): Amounts {
  const { costUsd, outputTokens } = (
    'usage' in input ? input.usage : { costUsd: 0, outputTokens: 0 }
  ) as { costUsd: number; outputTokens: number };
  const minutes = Math.max(0, workedMs);
  return { cost: Math.round(costUsd * UNIT.cost), tokens: outputTokens, minutes };
}
