/** Agent states, as a monitor reports them. */
import type { AgentState } from '../../../shared/schema/agents/agent-state.ts';

export function agentState(differs: Partial<AgentState>): AgentState {
  return {
    state: 'ready',
    cause: 'none',
    detail: null,
    witness: 'record',
    until: null,
    since: '2026-01-01T00:00:00.000Z',
    ...differs,
  };
}

export const WORKING = agentState({ state: 'working', cause: 'tool' });
export const PERMISSION = agentState({ state: 'waiting', cause: 'permission' });
export const UNKNOWN = agentState({ state: 'unknown', cause: 'disagreement' });
export const TRUST = agentState({ state: 'waiting', cause: 'trust' });
