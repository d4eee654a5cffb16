import type { Budgets } from '../../budgets/budgets.ts';
import type { Reserve } from '../../reserve/reserve.ts';
import { identityOf, type Handlers } from '../endpoint-handler.ts';

type Names = 'getReserve' | 'setReserve' | 'removeReserve';

/** What is kept of the plan's windows for people; each change names the person. */
export function reserveRoutes({
  reserve,
  budgets,
}: {
  reserve: Reserve;
  budgets: Budgets;
}): Handlers<Names> {
  const now = () => ({
    status: 200 as const,
    body: reserve.view(() => budgets.refsAtWork(), budgets.refsReserved()),
  });
  return {
    getReserve: now,
    setReserve: ({ body, ...call }) => {
      reserve.set(body, identityOf(call).name);
      return now();
    },
    removeReserve: (call) => {
      reserve.remove(identityOf(call).name);
      return now();
    },
  };
}
