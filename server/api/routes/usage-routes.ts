import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import type { UsageNow } from '../../../shared/schema/usage.ts';
import type { Clock } from '../../lib/clock.ts';
import type { UsageReports } from '../../usage/usage-report.ts';
import type { Handlers } from '../endpoint-handler.ts';

const MEDIA_TYPE = { csv: 'text/csv; charset=utf-8', jsonl: 'application/jsonl; charset=utf-8' };

/** What work used and cost: sums, and every entry. */
export function usageRoutes({
  usage,
  now,
  clock,
}: {
  usage: UsageReports;
  now: () => UsageNow;
  clock: Clock;
}): Handlers<'getUsage' | 'getUsageNow' | 'exportUsage'> {
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
