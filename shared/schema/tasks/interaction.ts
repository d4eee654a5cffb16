/** What was said in a task: by people, by the agent, by its tools, by the daemon in a person's place. */
import { z } from 'zod';

export const InteractionType = z.enum([
  'user_request',
  'claude_response',
  /** The daemon's own words to the agent: the first message and automatic replies. */
  'simulated_human',
  'tool_result',
  /** The daemon's words to people: what was denied, tried again, taken up after a restart. */
  'system_message',
]);
export type InteractionType = z.infer<typeof InteractionType>;

export const Interaction = z.object({
  id: z.int(),
  type: InteractionType,
  content: z.string(),
  /** The whole length in characters; `content` holds at most 100,000 of them. */
  length: z.int(),
  timestamp: z.iso.datetime(),
  /** Which turn of the conversation it belongs to, from 1; 0 before the first. */
  turn: z.int(),
  /** The tool that was called, or whose result this is. */
  tool: z.string().nullable(),
  is_error: z.boolean(),
  /** The person who wrote it. */
  author: z.string().nullable(),
  /** Of the whole turn, on its last response; null on all others. */
  input_tokens: z.int().nullable(),
  output_tokens: z.int().nullable(),
  cache_creation_tokens: z.int().nullable(),
  cache_read_tokens: z.int().nullable(),
  duration_ms: z.int().nullable(),
  cost_usd: z.number().nullable(),
});
export type Interaction = z.infer<typeof Interaction>;

/** Calls of tools and their results, one after another, shown as one. */
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
  /** Interactions there are in all. */
  total: z.int(),
  /** Send as `after` for the next page; null at the end. */
  next: z.int().nullable(),
  /** Send as `before` for what came earlier; null at the beginning. */
  previous: z.int().nullable(),
});
export type Conversation = z.infer<typeof Conversation>;
