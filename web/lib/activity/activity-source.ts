/** Where the calls of an agent are read, and what says that there may be more of them. */
import type { Feed } from '$lib/state/feed.svelte.ts';
import type { SessionActivity } from '$shared/schema/agents/session-activity.ts';

export interface ActivitySource {
  read: (query: Record<string, string>) => Promise<SessionActivity>;
  /** Call the result to stop. */
  follow: (touch: () => void) => () => void;
}

/** Nothing is pushed of the screen of a found session. */
const FOUND_EVERY_MS = 3_000;

/** After each push of its screen and each event of its agent. */
export function sessionActivity(feed: Feed, session: string): ActivitySource {
  return {
    read: async (query) => feed.rest.call('getSessionActivity', { session, query }),
    follow: (touch) => {
      const unwatch = feed.watchScreen(session, (frame) => {
        if (frame.type === 'screen' && frame.session === session) touch();
      });
      const ignore = feed.listen((event) => {
        if (event.session === session) touch();
      });
      return () => {
        unwatch();
        ignore();
      };
    },
  };
}

/** Of a session that Loopwatch did not start. */
export function foundActivity(feed: Feed, id: string): ActivitySource {
  return {
    read: async (query) => feed.rest.call('getFoundActivity', { item: id, query }),
    follow: (touch) => {
      const timer = setInterval(touch, FOUND_EVERY_MS);
      return () => clearInterval(timer);
    },
  };
}

/** Of the subagent that a call of that agent started. */
export function subagentActivity(agent: ActivitySource, call: string): ActivitySource {
  return {
    read: async (query) => agent.read({ ...query, subagent: call }),
    follow: agent.follow,
  };
}
