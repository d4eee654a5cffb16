import type { AgentState } from '../../../shared/schema/agents/agent-state.ts';
import type { FoundSession } from '../../../shared/schema/agents/found.ts';

/** A found session as the page lists it. */
export function foundSession(
  id: string,
  agent: AgentState,
  differs: Partial<FoundSession> = {},
): FoundSession {
  return {
    id,
    pid: Number.parseInt(id, 10),
    client: 'claude',
    conversation: `conversation-${id}`,
    cwd: '/home/me/shop/src',
    project: '/home/me/shop',
    branch: 'main',
    place: 'terminal',
    active_at: null,
    name: null,
    version: '2.1.330',
    tty: 'pts/3',
    tmux: null,
    job: null,
    editor: null,
    agent,
    started_at: '2026-01-01T00:00:00.000Z',
    transcript: null,
    usage: { tokens: null, cost: null },
    ...differs,
  };
}
