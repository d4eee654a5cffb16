import type { AgentState } from '../../../shared/schema/agent-state.ts';

/** Without `retrying`: a request that fails again and again gets nothing done. */
const AT_WORK: readonly AgentState['state'][] = ['working', 'compacting', 'background'];

/** Takes what is known of an agent; tells whether it gets on with something. */
export function isAtWork({ state }: AgentState): boolean {
  return AT_WORK.includes(state);
}
