import type { AgentStateName } from '../schema/agent-state.ts';

const IN_A_TURN: readonly AgentStateName[] = ['working', 'retrying', 'compacting'];

/** Takes the state of an agent; tells whether it is in a turn that a person may stop. */
export function mayInterrupt(state: AgentStateName): boolean {
  return IN_A_TURN.includes(state);
}
