/** A client that says it is newer than any Loopwatch was tested with, also in its record. */
import type { AgentState } from '../../../shared/schema/agents/agent-state.ts';
import type { ApiClient } from '../daemon/api-client.ts';
import { openShell, typeInto } from '../terminals/terminal-view.ts';
import { until } from '../house/until.ts';
import { World } from '../daemon/world.ts';

export const NEWER = '2.1.900';

export function newerWorld(settings: Record<string, string> = {}): World {
  return new World({
    LOOPWATCH_STAND_IN_VERSION: NEWER,
    LOOPWATCH_STAND_IN_RECORD: '1',
    // A turn that is seen by a poll of a busy machine.
    LOOPWATCH_STAND_IN_STEP_MS: '5000',
    ...settings,
  });
}

/** Starts a daemon, and the client in the session `web`; waits until it is at its prompt. */
export async function openNewer(world: World) {
  const { api } = await world.start();
  await openShell(api, 'web', world.taskDir('one'));
  await typeInto(api, 'web', 'claude');
  const agent = async () => agentOf(api);
  await until('the client is at its prompt', async () => (await agent())?.state === 'ready');
  await until('its record', async () => {
    const { body } = await api.get('/api/client-versions');
    return (body['versions'] as unknown[]).length > 0;
  });
  return { api, agent };
}

async function agentOf(api: ApiClient): Promise<AgentState | null> {
  return (await api.get('/api/sessions/web')).body['agent'] as AgentState | null;
}
