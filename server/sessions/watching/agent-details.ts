/** What is known of an agent besides its state. Pure. */
import type { AgentState } from '../../../shared/schema/agent-state.ts';
import type { Evidence } from '../../agents/reading/evidence.ts';

export interface AgentDetails {
  /** Used share of its context, 0 to 100; null when its client does not report it. */
  contextPercent: number | null;
  /** What still runs after its turn, by kind. */
  background: { subagents: number; shells: number; teammates: number };
  /** The message its last turn ended with; null while it works, and when unknown. */
  lastMessage: LastMessage | null;
}

export interface LastMessage {
  /** Its end, at least the last 1,000 characters. */
  end: string;
  witness: 'hook' | 'transcript';
}

export function agentDetails(
  { statusLine, hooks, transcript }: Pick<Evidence, 'statusLine' | 'hooks' | 'transcript'>,
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
    lastMessage: state?.state === 'ready' ? lastMessage({ hooks, transcript }) : null,
  };
}

/** A hook is there before the transcript is written. */
function lastMessage({ hooks, transcript }: Pick<Evidence, 'hooks' | 'transcript'>) {
  const { stop = null, promptAtMs = null } = hooks ?? {};
  if ((promptAtMs ?? -Infinity) > (stop?.atMs ?? -Infinity)) return null;
  const text = stop?.text ?? null;
  if (text !== null) return { end: text, witness: 'hook' } as const;
  const said = transcript?.said ?? null;
  return said === null ? null : ({ end: said, witness: 'transcript' } as const);
}
