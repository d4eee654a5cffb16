/** The part of a session in the wait for a usage limit that it shares with others. */
import { RESPAWN_TIMINGS } from '../../../shared/rules/respawn/respawn-keys.ts';
import type { AgentState } from '../../../shared/schema/agents/agent-state.ts';
import type { AgentInput } from './respawn-state.ts';
import type { Step } from './step.ts';

/** What the others that share the quota have to know. */
export function noteLimit({ run, quota, wallMs }: Step, { agent }: AgentInput): void {
  if (agent?.state === 'limited') {
    // The limit that is tried shows until the agent takes the text.
    if (run.quota === 'tried' && isReset(agent, wallMs)) return;
    if (run.quota === 'tried') quota.push('closed');
    run.quota = 'limited';
  } else if (agent?.state === 'working' && run.quota !== 'free') {
    quota.push('opened');
    run.quota = 'free';
  }
}

/** The limit may be tried: a client that does not continue on its own shows it also after its reset. */
export function isReset({ until }: Pick<AgentState, 'until'>, wallMs: number): boolean {
  return until !== null && Date.parse(until) + RESPAWN_TIMINGS.after_reset <= wallMs;
}

/** Its text goes out: it tries the limit. */
export function beginTry({ run, quota }: Step): void {
  if (run.quota !== 'limited') return;
  run.quota = 'tried';
  quota.push('tried');
}

/** The try is over or held up, and its result was not seen: another one may try. */
export function endTry({ run, quota }: Step): void {
  if (run.quota !== 'tried') return;
  run.quota = 'limited';
  quota.push('left');
}

/** It waits no longer. */
export function leaveWait({ run, quota }: Step): void {
  if (run.quota !== 'free') quota.push('left');
  run.quota = 'free';
}
