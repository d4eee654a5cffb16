/** How text on its way into a terminal stands, and why. */
import { z } from 'zod';

/**
 * `held`: stored, typed as soon as the agent can take it. `unknown`: it may or may not have been
 * typed; it is never typed again by itself.
 */
export const Delivery = z.enum(['held', 'delivering', 'delivered', 'failed', 'unknown']);
export type Delivery = z.infer<typeof Delivery>;

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
  'draft_in_box',
  'person_typing',
  'after_others',
  // failed
  'program_changed',
  'terminal_gone',
  'line_too_long',
  'cancelled',
  // unknown
  'no_change_seen',
  'no_answer',
  'daemon_restarted',
  'restored',
]);
export type DeliveryReason = z.infer<typeof DeliveryReason>;
