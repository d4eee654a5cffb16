import { AppError } from '../../../lib/app-error.ts';
import type { Recordings } from '../../../sessions/showing/recordings.ts';
import type { ScreenHistory } from '../../../sessions/showing/screen-history.ts';
import type { Sessions } from '../../../sessions/sessions.ts';
import type { SessionActivities } from '../../../sessions/watching/session-activity.ts';
import type { Handlers } from '../../endpoint-handler.ts';

type Names =
  | 'listScreens'
  | 'getPastScreen'
  | 'getSessionActivity'
  | 'startRecording'
  | 'getRecordingStatus'
  | 'getRecording'
  | 'stopRecording';

/**
 * What terminals showed: earlier screens of open sessions, and of closed ones as long as snapshots
 * are kept; recordings; and what their agents do.
 */
export function screenRoutes({
  sessions,
  screenHistory,
  recordings,
  activities,
}: {
  sessions: Sessions;
  screenHistory: ScreenHistory;
  recordings: Recordings;
  activities: SessionActivities;
}): Handlers<Names> {
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
    getSessionActivity: ({ params, query }) => {
      sessions.get(params.id);
      return { status: 200, body: activities.read(params.id, query) };
    },
    startRecording: ({ params }) => ({ status: 201, body: recordings.start(params.id) }),
    getRecordingStatus: ({ params }) => ({ status: 200, body: recordings.status(params.id) }),
    getRecording: ({ params }) =>
      new Response(recordings.read(params.id), {
        headers: { 'content-type': 'application/x-asciicast' },
      }),
    stopRecording: ({ params }) => ({ status: 200, body: recordings.stop(params.id) }),
  };
}
