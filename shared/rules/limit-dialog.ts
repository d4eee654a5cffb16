import type { AgentState } from '../schema/agents/agent-state.ts';

/**
 * Whether the agent shows its client's dialog about a usage limit: wait or pay. No other dialog has a
 * reset. Until that time there is nothing that a person must do.
 */
export function isLimitDialog({
  state,
  cause,
  until,
}: Pick<AgentState, 'state' | 'cause' | 'until'>): boolean {
  return state === 'waiting' && cause === 'dialog' && until !== null;
}
