/**
 * What an agent is doing, as the daemon knows it: state, cause, witness and start. One closed set
 * for REST, events, CLI and page.
 */
import { z } from 'zod';
import { CLIENT_VIEWS } from '../../rules/events/client-view.ts';

export const AgentStateName = z.enum([
  /** Its process runs, but it cannot take a prompt yet. */
  'starting',
  /** At an empty prompt, or one with a draft. */
  'ready',
  'working',
  /** A request failed and the client retries on its own. */
  'retrying',
  /** Waits for a person; `cause` says for what: permission, plan, question or another dialog. */
  'waiting',
  /** A usage limit was reached; `until` is the reset if known. */
  'limited',
  /** It stopped on an error and is back at its prompt. */
  'errored',
  /** The turn is over while something it started keeps running. */
  'background',
  'compacting',
  /** A person stopped the turn. */
  'interrupted',
  'exited',
  /** Its process runs; its client does not publish enough to say more. */
  'running',
  /** The witnesses disagree or cannot be interpreted. Nothing is typed. */
  'unknown',
]);
export type AgentStateName = z.infer<typeof AgentStateName>;

/** Why the state is what it is. Closed, so that scripts can rely on it. */
export const AgentCause = z.enum([
  'none',
  // waiting
  'permission',
  'plan',
  'question',
  'dialog',
  'login',
  'trust',
  'first_run',
  'settings_warning',
  'bypass_warning',
  'mcp_approval',
  /** The client offers one of its own settings; it asks nothing about the work. */
  'client_notice',
  ...CLIENT_VIEWS,
  // ready
  'draft',
  // working
  'thinking',
  'tool',
  'subagent',
  'hung_stream',
  'no_response',
  // retrying and errored
  'rate_limit',
  'overloaded',
  'server_error',
  'authentication',
  'billing',
  'invalid_request',
  'model_not_found',
  'prompt_too_long',
  'network',
  'other_error',
  // limited
  'five_hour',
  'weekly',
  'usage',
  // background
  'shell',
  // exited
  'by_person',
  'killed',
  // unknown
  'disagreement',
  'not_understood',
  // at its prompt, after
  'command_missing',
]);
export type AgentCause = z.infer<typeof AgentCause>;

/**
 * In order of trust. Hooks, transcript and status line only explain; they never hold a state, except
 * the transcript of a found session of another client, which has no record.
 */
export const Witness = z.enum(['record', 'hook', 'transcript', 'status_line', 'process', 'screen']);
export type Witness = z.infer<typeof Witness>;

/** Why nothing is typed into an agent although its state is shown. */
export const Careful = z.object({
  cause: z.enum(['untested_version', 'disagreement']),
  /** Of its client; null where it does not report one. */
  version: z.string().nullable(),
});
export type Careful = z.infer<typeof Careful>;

export const AgentState = z.object({
  state: AgentStateName,
  cause: AgentCause,
  /** Its text (a limit line, an error, the question), or null. At most 300 characters. */
  detail: z.string().nullable(),
  witness: Witness,
  since: z.iso.datetime(),
  /** When it is expected to change on its own: a reset, the next retry. */
  until: z.iso.datetime().nullable(),
  /** Present in careful mode. */
  careful: Careful.optional(),
});
export type AgentState = z.infer<typeof AgentState>;

/** Coarse groups for scripts. */
export const AgentGroup = z.enum(['exited', 'idle', 'waiting', 'working', 'limited', 'unknown']);
export type AgentGroup = z.infer<typeof AgentGroup>;

const GROUPS: Record<AgentStateName, AgentGroup> = {
  starting: 'working',
  ready: 'idle',
  working: 'working',
  retrying: 'working',
  waiting: 'waiting',
  limited: 'limited',
  errored: 'idle',
  background: 'idle',
  compacting: 'working',
  interrupted: 'idle',
  exited: 'exited',
  running: 'unknown',
  unknown: 'unknown',
};

export function agentGroup(state: AgentStateName): AgentGroup {
  return GROUPS[state];
}
