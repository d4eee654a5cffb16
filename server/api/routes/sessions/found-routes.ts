import type { FOUND_ENDPOINTS } from '../../../../shared/endpoints/sessions/found-endpoints.ts';
import type { FoundSession as Wire } from '../../../../shared/schema/agents/found.ts';
import type { Role } from '../../../../shared/schema/people/role.ts';
import type { UsageFigures } from '../../../../shared/schema/usage/usage.ts';
import { NO_STEPS, type TranscriptSteps } from '../../../agents/records/transcript-steps.ts';
import type { Continuations } from '../../../continuing/continuations.ts';
import type { BackgroundClient } from '../../../found/background-client.ts';
import type { EndedBackgrounds } from '../../../found/ended-background.ts';
import type { FoundSessions } from '../../../found/found-sessions.ts';
import type { IgnoredDirectories } from '../../../found/ignored-directories.ts';
import type { ListedSession } from '../../../found/listed-session.ts';
import { AppError } from '../../../lib/app-error.ts';
import { type Clock, toIso } from '../../../lib/clock.ts';
import type { UsageReports } from '../../../usage/usage-report.ts';
import { identityOf, type Handlers } from '../../endpoint-handler.ts';

interface FoundServices {
  /** Null: they are not shown. */
  found: FoundSessions | null;
  continuations: Continuations;
  background: BackgroundClient;
  ended: EndedBackgrounds;
  ignored: IgnoredDirectories;
  clock: Clock;
  usage: UsageReports;
  steps: TranscriptSteps;
  /** Who sees what their transcripts say. */
  details: 'operators' | 'everyone';
}

const UNKNOWN = 'no such session; list them with: loopwatch session ls --all';
const CLOSED = { name: null, result: null };
const NO_USAGE: UsageFigures = { tokens: null, cost: null };

/** Sessions that Loopwatch did not start. */
export function foundRoutes({
  found,
  continuations,
  background,
  ended,
  ignored,
  clock,
  usage,
  steps,
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
      const { tty } = session.view();
      if (session.job === null) return { status: 200, body: await session.screen() };
      const shown = await background.screen(session.job, tty);
      return { status: 200, body: { ...shown, at: toIso(clock.now()) } };
    },
    getFoundActivity: ({ params, query }) => {
      const session = found?.get(params.id) ?? null;
      if (session === null) throw new AppError('found_unknown', UNKNOWN);
      const { client, conversation } = session;
      if (client === 'claude') return { status: 200, body: steps.activity(conversation, query) };
      return { status: 200, body: { ...NO_STEPS, conversation, status: 'other_client' } };
    },
    listBackground: async (call) => {
      if (found === null) return { status: 200, body: { unavailable: null, sessions: [] } };
      const { unavailable, sessions } = await ended.list();
      const isOpen = details === 'everyone' || identityOf(call).role !== 'viewer';
      const shown = isOpen ? sessions : sessions.map((each) => ({ ...each, ...CLOSED }));
      return { status: 200, body: { unavailable, sessions: shown } };
    },
    listIgnored: () => ({ status: 200, body: ignored.view() }),
    setIgnored: ({ body, ...call }) => {
      ignored.set(body, identityOf(call).name);
      return { status: 200, body: ignored.view() };
    },
    getContinuation: async ({ params }) => ({
      status: 200,
      body: await continuations.read(params.id),
    }),
    continueFound: async ({ params, body, ...call }) => {
      const session = await continuations.open(params.id, body, identityOf(call).name);
      return { status: 201, body: { ...session, agent: null } };
    },
  };
}

/** Without what was read from the transcript, and what the client may have taken from it. */
function closedView(session: ListedSession, usage: UsageFigures): Wire {
  const view = session.view();
  const agent = { ...view.agent, detail: null };
  return { ...view, agent, name: null, transcript: null, usage };
}
