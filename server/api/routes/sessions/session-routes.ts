import type { Session } from '../../../../shared/schema/model.ts';
import type { AgentMonitor } from '../../../sessions/watching/agent-monitor.ts';
import type { Interrupts } from '../../../sessions/interrupts.ts';
import type { Outbox } from '../../../sessions/typing/outbox.ts';
import type { SessionRecord } from '../../../sessions/session-store.ts';
import type { Sessions } from '../../../sessions/sessions.ts';
import { identityOf, type Handlers } from '../../endpoint-handler.ts';

/** Terminals: open, list, view, type into, close. */
export function sessionRoutes({
  sessions,
  monitor,
  outbox,
  interrupts,
}: {
  sessions: Sessions;
  monitor: AgentMonitor;
  outbox: Outbox;
  interrupts: Interrupts;
}): Handlers<
  | 'createSession'
  | 'listSessions'
  | 'getSession'
  | 'deleteSession'
  | 'getScreen'
  | 'sendInput'
  | 'interruptSession'
  | 'listInputs'
  | 'cancelInput'
  | 'resizeSession'
  | 'getScrollback'
> {
  const withAgent = (session: SessionRecord): Session => ({
    ...session,
    agent: monitor.agent(session.name),
  });
  return {
    createSession: async ({ body, ...call }) => {
      const { name: author } = identityOf(call);
      return {
        status: 201,
        body: withAgent(await sessions.create(body.name, body.cwd, false, author)),
      };
    },
    listSessions: () => ({ status: 200, body: { sessions: sessions.list().map(withAgent) } }),
    getSession: ({ params }) => ({ status: 200, body: withAgent(sessions.get(params.id)) }),
    deleteSession: async ({ params, ...call }) => {
      const left = await sessions.close(params.id, identityOf(call).name);
      return { status: 202, body: { status: 'closing', ...(left.length === 0 ? {} : { left }) } };
    },
    getScreen: async ({ params }) => ({ status: 200, body: await sessions.screen(params.id) }),
    sendInput: async ({ params, body, ...call }) => {
      sessions.get(params.id);
      const { name: author } = identityOf(call);
      const { id, delivery, reason } = await outbox.submit(params.id, body, author);
      return { status: 202, body: { id, delivery, reason } };
    },
    interruptSession: async ({ params, ...call }) => {
      await interrupts.press(params.id, identityOf(call).name);
      return { status: 202, body: { status: 'interrupted' } };
    },
    listInputs: ({ params }) => {
      sessions.get(params.id);
      return { status: 200, body: { inputs: outbox.list(params.id) } };
    },
    cancelInput: ({ params }) => {
      sessions.get(params.id);
      return { status: 200, body: outbox.cancel(params.id, params.input) };
    },
    resizeSession: async ({ params, body }) => ({
      status: 200,
      body: await sessions.resize(params.id, body),
    }),
    getScrollback: async ({ params, query }) => {
      const { lines, from = -lines } = query;
      const page = await sessions.scrollback(params.id, { from, lines });
      return { status: 200, body: { session: params.id, ...page } };
    },
  };
}
