/**
 * Parses a line of the client's stream. The client's JSON is read leniently; our events are closed.
 */
import { z } from 'zod';
import { boundedText } from '../bounded-text.ts';
import { ClientUsage, type StreamResult, TurnResult } from './stream-result.ts';
import { parseJson } from '../../lib/parse-json.ts';

export type StreamEvent =
  | { kind: 'init'; conversationId: string }
  | { kind: 'text'; text: string }
  | { kind: 'tool_use'; id: string; name: string; input: unknown }
  | { kind: 'tool_result'; toolUseId: string; text: string; isError: boolean }
  | {
      kind: 'retry';
      attempt: number;
      /** The client's total number of attempts. */
      max: number;
      delayMs: number;
      error: string;
    }
  | { kind: 'denied'; tool: string; message: string }
  /** What the conversation held when the model was asked last: tokens, its answer included. */
  | { kind: 'context'; model: string; tokens: number }
  /** The conversation was compacted, and holds so many tokens now; null where it is not said. */
  | { kind: 'compacted'; tokens: number | null }
  /** `resetsAt` in milliseconds since 1970. */
  | { kind: 'limit'; status: string; resetsAt: number | null }
  /** How many commands and agents run in the background: the client waits for them and continues. */
  | { kind: 'background'; tasks: number }
  | { kind: 'result'; result: StreamResult };

const Name = boundedText(300).catch('');
const Count = z.number().nonnegative().catch(0);
/** The latest accepted second: the year 2200. */
const LAST_SECOND = 7_258_118_400;

const ToolText = z
  .union([
    z.string(),
    z
      .array(z.object({ type: z.string(), text: z.string().catch('') }))
      .transform((parts) => parts.map(({ type, text }) => text || `[${type}]`).join('\n')),
  ])
  .catch('');

const Block = z.union([
  z.object({ type: z.literal('text'), text: z.string() }),
  z.object({ type: z.literal('tool_use'), id: Name, name: Name, input: z.unknown() }),
  z.object({
    type: z.literal('tool_result'),
    tool_use_id: Name,
    content: ToolText,
    is_error: z.boolean().nullish().catch(null),
  }),
  z.object({ type: z.literal('other') }),
]);
/** An unknown block does not hide its neighbours. */
const Content = z.array(Block.catch({ type: 'other' })).catch([]);
const Message = z.object({ content: Content });
const AgentMessage = Message.extend({
  model: Name,
  usage: ClientUsage,
});

const Line = z.union([
  z.object({
    type: z.literal('assistant'),
    message: AgentMessage,
    /** Of the call of a subagent, whose context is its own. */
    parent_tool_use_id: z.string().nullish().catch(null),
  }),
  z.object({ type: z.literal('user'), message: Message }),
  z.object({
    type: z.literal('system'),
    subtype: z.literal('init'),
    session_id: boundedText(200),
  }),
  z.object({
    type: z.literal('system'),
    subtype: z.literal('api_retry'),
    attempt: Count,
    max_retries: Count,
    retry_delay_ms: Count,
    error: Name,
  }),
  z.object({
    type: z.literal('system'),
    subtype: z.literal('permission_denied'),
    tool_name: Name,
    message: boundedText(4_000).catch(''),
  }),
  z.object({
    type: z.literal('system'),
    subtype: z.literal('background_tasks_changed'),
    tasks: z.array(z.unknown()),
  }),
  z.object({
    type: z.literal('system'),
    subtype: z.literal('compact_boundary'),
    compact_metadata: z
      .object({ post_tokens: z.number().nonnegative().nullish().catch(null) })
      .nullish()
      .catch(null),
  }),
  z.object({
    type: z.literal('rate_limit_event'),
    rate_limit_info: z.object({
      status: Name,
      resetsAt: z.number().min(0).max(LAST_SECOND).nullish().catch(null),
    }),
  }),
  TurnResult,
]);
type Line = z.infer<typeof Line>;

/** In order; null when it is not JSON. Unknown lines have no events. */
export function parseStreamLine(text: string): StreamEvent[] | null {
  const json = parseJson(text);
  if (json === undefined) return null;
  const { success, data: line } = Line.safeParse(json);
  return success ? eventsOf(line) : [];
}

function eventsOf(line: Line): StreamEvent[] {
  switch (line.type) {
    case 'assistant':
      return [
        ...line.message.content.flatMap((block) => blockEvents(block, line.type)),
        ...contextEvents(line),
      ];
    case 'user':
      return line.message.content.flatMap((block) => blockEvents(block, line.type));
    case 'system':
      return [systemEvent(line)];
    case 'rate_limit_event': {
      const { status, resetsAt } = line.rate_limit_info;
      const second = resetsAt ?? null;
      return [{ kind: 'limit', status, resetsAt: second === null ? null : second * 1000 }];
    }
    case 'result':
      return [{ kind: 'result', result: line.result }];
  }
}

function blockEvents(block: z.infer<typeof Block>, from: 'assistant' | 'user'): StreamEvent[] {
  if (block.type === 'tool_result') {
    const { tool_use_id: toolUseId, content, is_error: isError } = block;
    return [{ kind: 'tool_result', toolUseId, text: content, isError: isError === true }];
  }
  // Texts of the user are the message itself and notes of the client.
  if (from === 'user') return [];
  if (block.type === 'text') return [{ kind: 'text', text: block.text }];
  if (block.type !== 'tool_use') return [];
  const { id, name, input } = block;
  return [{ kind: 'tool_use', id, name, input }];
}

/** None for a subagent, and for a message that the client wrote itself: it counts no tokens. */
function contextEvents(line: Extract<Line, { type: 'assistant' }>): StreamEvent[] {
  const { model, usage } = line.message;
  if (usage == null || line.parent_tool_use_id != null) return [];
  const asked =
    usage.input_tokens + usage.cache_creation_input_tokens + usage.cache_read_input_tokens;
  return asked === 0 ? [] : [{ kind: 'context', model, tokens: asked + usage.output_tokens }];
}

function systemEvent(line: Extract<Line, { type: 'system' }>): StreamEvent {
  switch (line.subtype) {
    case 'init':
      return { kind: 'init', conversationId: line.session_id };
    case 'api_retry': {
      const { attempt, max_retries: max, retry_delay_ms: delayMs, error } = line;
      return { kind: 'retry', attempt, max, delayMs, error };
    }
    case 'background_tasks_changed':
      return { kind: 'background', tasks: line.tasks.length };
    case 'compact_boundary':
      return { kind: 'compacted', tokens: line.compact_metadata?.post_tokens ?? null };
    case 'permission_denied':
      return { kind: 'denied', tool: line.tool_name, message: line.message };
  }
}
