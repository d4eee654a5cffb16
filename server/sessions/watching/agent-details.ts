/** What is known of an agent besides its state. Pure. */
import type { AgentState } from '../../../shared/schema/agent-state.ts';
import type { Evidence } from '../../agents/reading/evidence.ts';

export interface AgentDetails {
  /** Used share of its context, 0 to 100; null when its client does not report it. */
  contextPercent: number | null;
  /** What still runs after its turn, by kind. */
  background: { subagents: number; shells: number; teammates: number };
}

export function agentDetails(
  { statusLine, hooks }: Pick<Evidence, 'statusLine' | 'hooks'>,
  state: AgentState | null,
): AgentDetails {
  const types = state?.state === 'background' ? (hooks?.stop?.backgroundTypes ?? []) : [];
  const count = (kind: RegExp) => types.filter((type) => kind.test(type)).length;
  return {
    contextPercent: statusLine?.contextUsedPercent ?? null,
    background: {
      subagents: count(/agent/),
      shells: count(/shell|bash/),
      teammates: count(/teammate/),
    },
  };
}
