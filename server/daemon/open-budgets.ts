import { Budgets } from '../budgets/budgets.ts';
import type { Clock } from '../lib/clock.ts';
import type { Scope } from '../lib/scope.ts';
import { Reserve } from '../reserve/reserve.ts';
import { PlanWindows } from '../usage/plan-windows.ts';
import { SharedPlan } from '../usage/shared-plan.ts';
import type { Store } from './open-store.ts';

/** The one gate before each dispatch: budgets, and what is kept of the plan's windows. */
export function openBudgets({ database, log }: Store, clock: Clock, scope: Scope) {
  const sharedPlan = new SharedPlan();
  const windows = new PlanWindows(database, sharedPlan);
  const reserve = new Reserve({ database, log, clock, windows, shared: sharedPlan });
  scope.own(() => reserve.dispose());
  const budgets = new Budgets({ database, log, clock, reserve, shared: sharedPlan });
  scope.own(() => budgets.dispose());
  return { sharedPlan, windows, reserve, budgets };
}
