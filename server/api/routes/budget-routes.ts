import type { Budgets } from '../../budgets/budgets.ts';
import { identityOf, type Handlers } from '../endpoint-handler.ts';

type Names = 'listBudgets' | 'setBudget' | 'raiseBudget' | 'removeBudget';

/** Hard limits. Each change names the person and the reason. */
export function budgetRoutes({ budgets }: { budgets: Budgets }): Handlers<Names> {
  return {
    listBudgets: () => ({ status: 200, body: { budgets: budgets.list() } }),
    setBudget: ({ body, ...call }) => ({
      status: 200,
      body: budgets.set(body, identityOf(call).name),
    }),
    raiseBudget: ({ params, body, ...call }) => ({
      status: 200,
      body: budgets.raise(Number(params.id), body, identityOf(call).name),
    }),
    removeBudget: ({ params, ...call }) => {
      const id = Number(params.id);
      budgets.remove(id, identityOf(call).name);
      return { status: 200, body: { id } };
    },
  };
}
