import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import type { UsageNow } from '../../../shared/schema/usage/usage.ts';
import type { Budgets } from '../../budgets/budgets.ts';
import type { Clock } from '../../lib/clock.ts';
import type { UsageReports } from '../../usage/usage-report.ts';
import { identityOf, type Handlers } from '../endpoint-handler.ts';

const MEDIA_TYPE = { csv: 'text/csv; charset=utf-8', jsonl: 'application/jsonl; charset=utf-8' };

type Names =
  | 'getUsage'
  | 'getUsageNow'
  | 'exportUsage'
  | 'listBudgets'
  | 'setBudget'
  | 'raiseBudget'
  | 'removeBudget';

/**
 * What work used and cost: sums, and every entry; and its hard limits, of which each change names
 * the person and the reason.
 */
export function usageRoutes({
  usage,
  now,
  budgets,
  clock,
}: {
  usage: UsageReports;
  now: () => UsageNow;
  budgets: Budgets;
  clock: Clock;
}): Handlers<Names> {
  return {
    getUsage: ({ query }) => ({ status: 200, body: usage.report(query, clock.now()) }),
    getUsageNow: () => ({ status: 200, body: now() }),
    exportUsage: ({ query }) =>
      new Response(streamOf(usage.lines(query)), {
        headers: {
          'content-type': MEDIA_TYPE[query.format],
          'content-disposition': `attachment; filename="usage.${query.format}"`,
        },
      }),
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

/** Read as fast as the client does; other work comes between two pages. */
function streamOf(pages: Generator<string, void>): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      await yieldToEventLoop();
      const page = pages.next();
      if (page.done === true) controller.close();
      else controller.enqueue(encoder.encode(page.value));
    },
    cancel: () => void pages.return(),
  });
}
