import { AppError } from '../../lib/app-error.ts';
import type { ScreenHistory } from '../../sessions/showing/screen-history.ts';
import type { Sessions } from '../../sessions/sessions.ts';
import type { Handlers } from '../endpoint-handler.ts';

/** Earlier screens: of open sessions, and of closed ones as long as snapshots are kept. */
export function screenRoutes({
  sessions,
  screenHistory,
}: {
  sessions: Sessions;
  screenHistory: ScreenHistory;
}): Handlers<'listScreens' | 'getPastScreen'> {
  const requireKnown = (name: string) => {
    if (sessions.has(name) || screenHistory.has(name)) return;
    throw new AppError(
      'session_unknown',
      `no session named ${name}; list them with: loopwatch session ls`,
    );
  };
  return {
    listScreens: ({ params, query }) => {
      requireKnown(params.id);
      return { status: 200, body: screenHistory.list(params.id, query.before, query.limit) };
    },
    getPastScreen: ({ params }) => {
      requireKnown(params.id);
      return { status: 200, body: screenHistory.find(params.id, params.at) };
    },
  };
}
