import type { AgentCause, AgentStateName, Witness } from './agent-state.ts';
import type { Tone } from './tone.ts';

const STATE_TEXT: Record<AgentStateName, string> = {
  starting: 'Starting',
  ready: 'Ready',
  working: 'Working',
  retrying: 'Retrying',
  waiting: 'Waiting for a person',
  limited: 'Usage limit reached',
  errored: 'Gave up on an error',
  background: 'Background work goes on',
  compacting: 'Compacting its conversation',
  interrupted: 'Interrupted',
  exited: 'Exited',
  unknown: 'State unknown',
};

export const AGENT_TONE: Record<AgentStateName, Tone> = {
  starting: 'work',
  ready: 'idle',
  working: 'work',
  retrying: 'wait',
  waiting: 'wait',
  limited: 'wait',
  errored: 'fail',
  background: 'work',
  compacting: 'work',
  interrupted: 'idle',
  exited: 'idle',
  unknown: 'wait',
};

/** What it is known by. */
export const WITNESS_TEXT: Record<Witness, string> = {
  record: 'its status record',
  hook: 'its hooks',
  transcript: 'its transcript',
  status_line: 'its status line',
  process: 'its process',
  screen: 'its screen',
};

/** Takes a state and its cause; gives the words a person reads. */
export function agentText(state: AgentStateName, cause: AgentCause): string {
  return cause === 'none'
    ? STATE_TEXT[state]
    : `${STATE_TEXT[state]}: ${cause.replaceAll('_', ' ')}`;
}
