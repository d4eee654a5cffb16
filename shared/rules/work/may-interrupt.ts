import type { AgentStateName } from '../../schema/agents/agent-state.ts';

const IN_A_TURN: readonly AgentStateName[] = ['working', 'retrying', 'compacting'];

/** Whether the agent is in a turn that a person may interrupt. */
export function mayInterrupt(state: AgentStateName): boolean {
  return IN_A_TURN.includes(state);
}
