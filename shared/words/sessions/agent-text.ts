import type { AgentCause, AgentStateName, Witness } from '../../schema/agents/agent-state.ts';
import { type ClientView, isClientView } from '../../rules/events/client-view.ts';
import { entryFor } from '../entry-for.ts';
import { codeWords } from '../../rules/text/code-words.ts';
import type { Tone } from '../tone.ts';

const STATE_TEXT: Record<AgentStateName, string> = {
  starting: 'Starting',
  ready: 'Ready',
  working: 'Working',
  retrying: 'Retrying',
  waiting: 'Waiting for a person',
  limited: 'Usage limit reached',
  errored: 'Stopped on an error',
  background: 'Background work running',
  compacting: 'Compacting the conversation',
  interrupted: 'Interrupted',
  exited: 'Exited',
  running: 'Running',
  unknown: 'State unknown',
};

/** Why input is held, and what to do about it. */
const VIEW_TEXT: Record<ClientView | 'client_notice', string> = {
  agents_view: 'Agents view is open: select the session in the terminal and press Enter',
  history_search: 'Prompt search is open: press Escape in the terminal',
  transcript_view: 'Transcript view is open: press Escape in the terminal',
  rewind: 'Rewind is open: press Escape in the terminal',
  client_notice: 'The client offers a setting: choose, or press Escape in the terminal',
};

/** Causes that their code says badly. */
const CAUSE_TEXT: Partial<Record<AgentCause, string>> = {
  by_person: 'ended by a person',
  five_hour: '5-hour limit',
  mcp_approval: 'MCP approval',
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
  running: 'idle',
  unknown: 'wait',
};

export const WITNESS_TEXT: Record<Witness, string> = {
  record: 'its status record',
  hook: 'its hooks',
  transcript: 'its transcript',
  status_line: 'its status line',
  process: 'its process',
  screen: 'its screen',
};

export function agentText(state: AgentStateName, cause: AgentCause): string {
  if (cause === 'client_notice' || isClientView(cause)) return viewText(cause);
  const text = entryFor(STATE_TEXT, state, (label) => label);
  return cause === 'none' ? text : `${text}: ${CAUSE_TEXT[cause] ?? codeWords(cause)}`;
}

export function viewText(view: ClientView | 'client_notice'): string {
  return VIEW_TEXT[view];
}
