import type { AgentState } from '../../../shared/agent-state.ts';
import { attentionFor } from '../../attention/attention-for.ts';
import { evidenceOf } from '../evidence-of.ts';
import type { AgentWait } from './terminal-agent.ts';

/** Takes what is known of an agent; gives what it waits for besides a limit, or null. */
export function agentWait(agent: AgentState | null): AgentWait | null {
  if (agent === null) return null;
  const need = attentionFor(agent);
  if (need !== null) return waitOf(agent, need.reason, need.detail ?? need.title);
  if (agent.state === 'retrying') return waitOf(agent, 'retrying', agent.detail ?? agent.cause);
  if (agent.cause === 'hung_stream') return waitOf(agent, 'hung_stream', agent.detail ?? '');
  return null;
}

function waitOf(agent: AgentState, reason: AgentWait['reason'], words: string): AgentWait {
  const { witness, since, until } = agent;
  return { reason, since, until, evidence: [evidenceOf(witness, Date.parse(since), [words])] };
}
