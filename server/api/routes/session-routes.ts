import type { Sessions } from '../../sessions/sessions.ts';
import type { Handlers } from '../endpoint-handler.ts';

/** Terminals: open, list, look at, type into, end. */
export function sessionRoutes({
  sessions,
}: {
  sessions: Sessions;
}): Handlers<
  | 'createSession'
  | 'listSessions'
  | 'getSession'
  | 'deleteSession'
  | 'getScreen'
  | 'resizeSession'
  | 'getScrollback'
  | 'sendInput'
> {
  return {
    createSession: async ({ body }) => ({
      status: 201,
      body: { ...(await sessions.create(body.name, body.cwd)), agent: null },
    }),
    listSessions: () => ({
      status: 200,
      body: { sessions: sessions.list().map((session) => ({ ...session, agent: null })) },
    }),
    getSession: ({ params }) => ({
      status: 200,
      body: { ...sessions.get(params.id), agent: null },
    }),
    deleteSession: async ({ params }) => {
      await sessions.close(params.id);
      return { status: 202, body: { status: 'closing' } };
    },
    getScreen: async ({ params }) => ({ status: 200, body: await sessions.screen(params.id) }),
    resizeSession: async ({ params, body }) => ({
      status: 200,
      body: await sessions.resize(params.id, body),
    }),
    getScrollback: async ({ params, query }) => {
      const { lines, from = -lines } = query;
      const page = await sessions.scrollback(params.id, { from, lines });
      return { status: 200, body: { session: params.id, ...page } };
    },
    sendInput: async ({ params, body }) => ({
      status: 202,
      body: { delivery: await sessions.input(params.id, body.text, body.submit) },
    }),
  };
}
