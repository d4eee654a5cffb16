import type { Night, NightQuery } from '../../../shared/schema/usage/night.ts';
import type { UnitHistories } from '../../report/unit-histories.ts';
import type { Reports } from '../../report/reports.ts';
import type { Handlers } from '../endpoint-handler.ts';

/** What the night brought, and what the next one needs. */
export function reportRoutes({
  reports,
  histories,
  night,
}: {
  reports: Reports;
  histories: UnitHistories;
  night: (query: NightQuery) => Promise<Night>;
}): Handlers<'getReport' | 'getHistory' | 'getNight'> {
  return {
    getReport: async ({ query }) => ({ status: 200, body: await reports.read(query) }),
    getHistory: async ({ query }) => ({ status: 200, body: await histories.read(query) }),
    getNight: async ({ query }) => ({ status: 200, body: await night(query) }),
  };
}
