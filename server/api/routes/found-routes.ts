import type { FOUND_ENDPOINTS } from '../../../shared/endpoints/found-endpoints.ts';
import type { FoundSession as Wire } from '../../../shared/schema/found.ts';
import type { Role } from '../../../shared/schema/people/role.ts';
import type { UsageFigures } from '../../../shared/schema/usage.ts';
import type { FoundSession } from '../../found/found-session.ts';
import type { FoundSessions } from '../../found/found-sessions.ts';
import { AppError } from '../../lib/app-error.ts';
import type { UsageReports } from '../../usage/usage-report.ts';
import { identityOf, type Handlers } from '../endpoint-handler.ts';

interface FoundServices {
  /** Null: they are not shown. */
  found: FoundSessions | null;
  usage: UsageReports;
  /** Who sees what their transcripts say. */
  details: 'operators' | 'everyone';
}

const UNKNOWN = 'no such session; list them with: loopwatch session ls --all';
const NO_USAGE: UsageFigures = { tokens: null, cost: null };

/** Sessions that Loopwatch did not start. */
export function foundRoutes({
  found,
  usage,
  details,
}: FoundServices): Handlers<keyof typeof FOUND_ENDPOINTS> {
  const read = async (role: Role): Promise<Wire[]> => {
    await found?.refresh();
    const used = usage.ofKind('found');
    const isOpen = details === 'everyone' || role !== 'viewer';
    return (found?.list() ?? []).map((session) => {
      const figures = used.get(session.id) ?? NO_USAGE;
      return isOpen ? { ...session.view(), usage: figures } : closedView(session, figures);
    });
  };
  return {
    listFound: async (call) => ({
      status: 200,
      body: { is_on: found !== null, sessions: await read(identityOf(call).role) },
    }),
    getFound: async ({ params, ...call }) => {
      const session = (await read(identityOf(call).role)).find(({ id }) => id === params.id);
      if (session !== undefined) return { status: 200, body: session };
      throw new AppError('found_unknown', UNKNOWN);
    },
    getFoundScreen: async ({ params }) => {
      const session = found?.get(params.id) ?? null;
      if (session === null) throw new AppError('found_unknown', UNKNOWN);
      return { status: 200, body: await session.screen() };
    },
  };
}

/** Without what was read from the transcript, and what the client may have taken from it. */
function closedView(session: FoundSession, usage: UsageFigures): Wire {
  const view = session.view();
  const agent = { ...view.agent, detail: null };
  return { ...view, agent, name: null, transcript: null, usage };
}
