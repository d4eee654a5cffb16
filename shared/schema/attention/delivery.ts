/** The delivery of text into a terminal, and why it is in that state. */
import { z } from 'zod';

/**
 * `held`: stored, typed as soon as the agent can take it. `delivered`: the agent itself confirmed
 * it (a prompt hook, its status record). `typed`: the foreground program cannot confirm. `unknown`:
 * it may or may not have arrived; Loopwatch never types it a second time.
 */
export const Delivery = z.enum(['held', 'delivering', 'delivered', 'typed', 'failed', 'unknown']);
export type Delivery = z.infer<typeof Delivery>;

/** The foreground program a sender saw: input for an agent never reaches the shell behind it. */
export const InputTarget = z.enum(['agent', 'shell', 'program']);
export type InputTarget = z.infer<typeof InputTarget>;

/** Human input goes first. */
export const InputSource = z.enum(['person', 'daemon']);
export type InputSource = z.infer<typeof InputSource>;

export const DeliveryReason = z.enum([
  // held
  'agent_starting',
  'agent_waiting',
  'agent_busy',
  'agent_limited',
  'agent_unknown',
  'agent_untested',
  'draft_in_box',
  'person_typing',
  'after_others',
  // failed; `program_changed` also when the program ended before it confirmed
  'program_changed',
  'terminal_gone',
  'line_too_long',
  'cancelled',
  'nothing_to_send',
  // typed
  'agent_command',
  // unknown
  'enter_withheld',
  'withdrawn',
  'not_confirmed',
  'no_change_seen',
  'no_answer',
  'daemon_restarted',
  'restored',
]);
export type DeliveryReason = z.infer<typeof DeliveryReason>;
