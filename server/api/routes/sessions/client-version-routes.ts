import type { TestedClient } from '../../../../shared/schema/agents/client-versions.ts';
import type { AgentMonitor } from '../../../sessions/watching/agent-monitor.ts';
import type { ClientVersions } from '../../../sessions/watching/client-versions.ts';
import type { Sessions } from '../../../sessions/sessions.ts';
import { identityOf, type Handlers } from '../../endpoint-handler.ts';

type Names = 'listClientVersions' | 'setClientTrust' | 'testClient';

/** Versions of the agent's client; a change names the person. */
export function clientVersionRoutes({
  versions,
  sessions,
  monitor,
  testClient,
}: {
  versions: ClientVersions;
  sessions: Sessions;
  monitor: AgentMonitor;
  testClient: () => Promise<TestedClient>;
}): Handlers<Names> {
  const now = () => {
    const inUse = new Map<string, string[]>();
    for (const session of sessions.openNames()) {
      const version = monitor.details(session)?.clientVersion ?? null;
      if (version !== null) inUse.set(version, [...(inUse.get(version) ?? []), session]);
    }
    return { status: 200 as const, body: versions.view(inUse) };
  };
  return {
    listClientVersions: now,
    testClient: async () => ({ status: 200, body: await testClient() }),
    setClientTrust: ({ body, ...call }) => {
      const { name } = identityOf(call);
      if (body.trusted) versions.trust(body.version, name);
      else versions.distrust(body.version, name);
      return now();
    },
  };
}
