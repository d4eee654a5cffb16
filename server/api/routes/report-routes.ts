import type { Night, NightQuery } from '../../../shared/schema/night.ts';
import type { Reports } from '../../report/reports.ts';
import type { Handlers } from '../endpoint-handler.ts';

/** What the night brought, and what the next one needs. */
export function reportRoutes({
  reports,
  night,
}: {
  reports: Reports;
  night: (query: NightQuery) => Promise<Night>;
}): Handlers<'getReport' | 'getNight'> {
  return {
    getReport: async ({ query }) => ({ status: 200, body: await reports.read(query) }),
    getNight: async ({ query }) => ({ status: 200, body: await night(query) }),
  };
}
