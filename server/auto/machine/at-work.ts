import type { AgentState } from '../../../shared/schema/agent-state.ts';

/** Without `retrying`: a request that fails repeatedly makes no progress. */
const AT_WORK: readonly AgentState['state'][] = ['working', 'compacting', 'background'];

export function isAtWork({ state }: AgentState): boolean {
  return AT_WORK.includes(state);
}
