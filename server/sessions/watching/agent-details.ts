/** What is known of an agent besides its state. Pure. */
import { isLimitDialog } from '../../../shared/rules/limit-dialog.ts';
import type { AgentState, Careful } from '../../../shared/schema/agents/agent-state.ts';
import type { Assessment, Evidence } from '../../agents/reading/evidence.ts';
import type { ForegroundAgent } from '../typing/may-type.ts';

export interface AgentDetails {
  /** Used share of its context, 0 to 100; null when its client does not report it. */
  contextPercent: number | null;
  /** Of its client; null when its record names none. */
  clientVersion: string | null;
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
  {
    record,
    statusLine,
    hooks,
    transcript,
  }: Pick<Evidence, 'record' | 'statusLine' | 'hooks' | 'transcript'>,
  state: AgentState | null,
): AgentDetails {
  const types = state?.state === 'background' ? (hooks?.stop?.backgroundTypes ?? []) : [];
  const count = (kind: RegExp) => types.filter((type) => kind.test(type)).length;
  return {
    contextPercent: statusLine?.contextUsedPercent ?? null,
    clientVersion: record?.version ?? null,
    background: {
      subagents: count(/agent/),
      shells: count(/shell|bash/),
      teammates: count(/teammate/),
    },
    lastMessage: state?.state === 'ready' ? lastMessage({ hooks, transcript }) : null,
  };
}

/** What decides whether it may be typed into, at that wall time. */
export function promptOf(
  { screen }: Pick<Evidence, 'screen'>,
  agent: AgentState,
  nowMs: number,
): Omit<ForegroundAgent, 'kind' | 'name' | 'program'> {
  const { box = 'none', draft = null } = screen?.reading ?? {};
  const { state, until, careful } = agent;
  return {
    state,
    box,
    draft,
    isReset: until !== null && Date.parse(until) <= nowMs,
    showsLimitDialog: isLimitDialog(agent),
    isUntested: careful?.cause === 'untested_version',
  };
}

/** `untested`: why a client of that version may not be typed into, or null. */
export function carefulOf(
  { record }: Pick<Evidence, 'record'>,
  assessment: Pick<Assessment, 'cause'> | null,
  untested: (version: string | null) => Careful | null,
): Careful | null {
  const version = record?.version ?? null;
  const isDisputed = assessment?.cause === 'disagreement';
  return untested(version) ?? (isDisputed ? { cause: 'disagreement', version } : null);
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
