import type { Reports } from '../../report/reports.ts';
import type { Handlers } from '../endpoint-handler.ts';

/** What the night brought. */
export function reportRoutes({ reports }: { reports: Reports }): Handlers<'getReport'> {
  return {
    getReport: async ({ query }) => ({ status: 200, body: await reports.read(query) }),
  };
}
