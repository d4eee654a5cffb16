/** What a budget limits, and which budgets hold for it. */
import type { BudgetMeasure, BudgetScopeKind } from '../../shared/schema/usage/budget.ts';
import { realDirectory } from '../lib/files/real-directory.ts';
import { type Subject, subjectRef } from '../../shared/schema/events/subject.ts';

/** Work that is dispatched, as the ledger names it. '' where project or person is not known. */
export interface BudgetedWork {
  subject: Subject;
  project: string;
  person: string;
}

/** Why work may not be dispatched now: a budget, or what is kept of the plan's windows for people. */
export interface BudgetHold {
  reason: 'budget' | 'reserve';
  /** `shared`: it may once other work is done that may use what is left. */
  kind: 'spent' | 'shared';
  /** Which budget or window, and how much of it is used. */
  text: string;
  /** Wall time in milliseconds at which it is checked again; null when only a change ends it. */
  untilMs: number | null;
}

/** Of one kind of supervisor. */
export interface WorkNow {
  /** May use something at this moment. */
  atWork: BudgetedWork[];
  /** Would begin if it may. */
  waiting: BudgetedWork[];
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

/** Such as `task:fix-login`. */
export function refOf({ subject }: BudgetedWork): string {
  return subjectRef(subject);
}

export function scopeOf({ scopeKind, scopeId }: Scope): string {
  return scopeId === '' ? scopeKind : `${scopeKind}:${scopeId}`;
}

/** Of a project the real path, as its work has it; one that is not there stays as it is. */
export function readScope(scope: string): Scope {
  const at = scope.indexOf(':');
  if (at < 0) return { scopeKind: scope as BudgetScopeKind, scopeId: '' };
  const scopeKind = scope.slice(0, at) as BudgetScopeKind;
  const id = scope.slice(at + 1);
  return { scopeKind, scopeId: scopeKind === 'project' ? (realDirectory(id)?.path ?? id) : id };
}

/** What an input of a supervisor's machine reports as used, before it is stored. */
export function unstoredUse(input: object, workedMs: number): Amounts {
  const { costUsd, outputTokens } = (
    'usage' in input ? input.usage : { costUsd: 0, outputTokens: 0 }
  ) as { costUsd: number; outputTokens: number };
  const minutes = Math.max(0, workedMs);
  return { cost: Math.round(costUsd * UNIT.cost), tokens: outputTokens, minutes };
}

/** A limit in row units, at least one. */
export function limitOf(measure: BudgetMeasure, limit: number): number {
  return Math.max(1, Math.round(limit * UNIT[measure]));
}

/** As the API shows it. */
export function amountsOf(
  row: Scope & { measure: BudgetMeasure; limit: number },
  used: number,
  elsewhere: number,
) {
  const { measure, limit } = row;
  const unit = UNIT[measure];
  const amounts = { limit: limit / unit, used: used / unit, elsewhere: elsewhere / unit };
  return { scope: scopeOf(row), measure, ...amounts };
}
