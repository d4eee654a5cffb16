/** A task's conversation: people, the agent, its tools, and the daemon in place of a person. */
import { z } from 'zod';

export const InteractionType = z.enum([
  'user_request',
  'claude_response',
  /** The daemon's messages to the agent: the first message and automatic replies. */
  'simulated_human',
  'tool_result',
  /** The daemon's messages to people: what was denied, retried, or continued after a restart. */
  'system_message',
]);
export type InteractionType = z.infer<typeof InteractionType>;

export const Interaction = z.object({
  id: z.int(),
  type: InteractionType,
  content: z.string(),
  /** The full length in characters; `content` holds at most 100,000 of them. */
  length: z.int(),
  timestamp: z.iso.datetime(),
  /** The turn it belongs to, from 1; 0 before the first. */
  turn: z.int(),
  /** The called tool, or the tool whose result this is. */
  tool: z.string().nullable(),
  is_error: z.boolean(),
  /** The person who wrote it. */
  author: z.string().nullable(),
  /** Of the whole turn, on its last response; null on the others. */
  input_tokens: z.int().nullable(),
  output_tokens: z.int().nullable(),
  cache_creation_tokens: z.int().nullable(),
  cache_read_tokens: z.int().nullable(),
  duration_ms: z.int().nullable(),
  cost_usd: z.number().nullable(),
});
export type Interaction = z.infer<typeof Interaction>;

/** Consecutive tool calls and results, shown as one. */
export const ToolGroup = z.object({
  id: z.string(),
  type: z.literal('tool_group'),
  tool_count: z.int(),
  first_timestamp: z.iso.datetime(),
  last_timestamp: z.iso.datetime(),
  summary: z.string(),
  tools: z.array(Interaction),
});
export type ToolGroup = z.infer<typeof ToolGroup>;

export const Conversation = z.object({
  task_name: z.string(),
  status: z.string(),
  conversation: z.array(z.union([Interaction, ToolGroup])),
  /** Total number of interactions. */
  total: z.int(),
  /** Send as `after` for the next page; null at the end. */
  next: z.int().nullable(),
  /** Send as `before` for the previous page; null at the beginning. */
  previous: z.int().nullable(),
});
export type Conversation = z.infer<typeof Conversation>;
