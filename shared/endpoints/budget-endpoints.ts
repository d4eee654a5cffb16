/** Budgets: hard limits in money, tokens and minutes. */
import { z } from 'zod';
import { Budget, BudgetPage, RaiseBudget, SetBudget } from '../schema/usage/budget.ts';
import type { Endpoint } from './endpoint.ts';

const IdParams = z.object({ id: z.string().regex(/^[1-9]\d{0,14}$/) });

export const BUDGET_ENDPOINTS = {
  listBudgets: {
    method: 'GET',
    path: '/api/budgets',
    summary: 'List budgets with what is used, and the work that waits for them.',
    role: 'viewer',
    responses: { 200: BudgetPage },
    errors: [],
  },
  setBudget: {
    method: 'PUT',
    path: '/api/budgets',
    summary: 'Set the budget of a scope and measure; it replaces the one there is.',
    role: 'operator',
    body: SetBudget,
    responses: { 200: Budget },
    errors: [],
  },
  raiseBudget: {
    method: 'POST',
    path: '/api/budgets/:id/raise',
    summary: 'Raise a budget; the work that waits for it continues.',
    role: 'operator',
    params: IdParams,
    unknown: 'budget_unknown',
    body: RaiseBudget,
    responses: { 200: Budget },
    errors: ['budget_unknown', 'budget_not_raised'],
  },
  removeBudget: {
    method: 'DELETE',
    path: '/api/budgets/:id',
    summary: 'Remove a budget; the work that waits for it continues.',
    role: 'operator',
    params: IdParams,
    unknown: 'budget_unknown',
    responses: { 200: z.object({ id: z.int() }) },
    errors: ['budget_unknown'],
  },
} as const satisfies Record<string, Endpoint>;
