/** A line of a client's transcript as a witness of what the agent does: model, context, tool, todo. */
import { z } from 'zod';
import { boundedText } from '../bounded-text.ts';
import { MAX_TRANSCRIPT_LINE, shortLine, subjectOf, ToolInput } from './tool-input.ts';
import { parseJson } from '../../lib/parse-json.ts';

export interface ActivityFact {
  /** Milliseconds since 1970. */
  atMs: number | null;
  model: string;
  /** What the request held: its input, cached or not. */
  contextTokens: number | null;
  /** The last tool it called, and the file, command or pattern it is about. */
  call: { tool: string; subject: string | null } | null;
  /** The step of its own list that it works on; null: on none. Undefined where nothing is said. */
  todo: string | null | undefined;
}

/** Every line of interest contains this; others are not parsed. */
const SIGN = '"assistant"';
const MAX_TOKENS = 1_000_000_000;
const STEP_STATUS = ['pending', 'in_progress', 'completed'];

const Count = z.int().min(0).max(MAX_TOKENS).catch(0);
const Block = z.object({
  type: z.string(),
  name: boundedText(100).nullish().catch(null),
  input: ToolInput.nullish().catch(null),
});
const Line = z.object({
  type: z.literal('assistant'),
  timestamp: boundedText(40).nullish().catch(null),
  isSidechain: z.boolean().nullish().catch(null),
  isApiErrorMessage: z.boolean().nullish().catch(null),
  message: z.object({
    model: boundedText(100),
    content: z.array(Block).max(100).catch([]),
    usage: z
      .object({
        input_tokens: Count,
        cache_creation_input_tokens: Count,
        cache_read_input_tokens: Count,
      })
      .nullish()
      .catch(null),
  }),
});

/** Null for every other line, for invalid JSON, for subagents and for messages of the client itself. */
export function parseActivityLine(text: string): ActivityFact | null {
  if (text.length > MAX_TRANSCRIPT_LINE || !text.includes(SIGN)) return null;
  const { success, data: line } = Line.safeParse(parseJson(text));
  if (!success || line.isSidechain === true || line.isApiErrorMessage === true) return null;
  const { model, content, usage } = line.message;
  // The client's own, such as `<synthetic>`.
  if (model.startsWith('<')) return null;
  const time = Date.parse(line.timestamp ?? '');
  const call = content.findLast(
    ({ type, name }) => type === 'tool_use' && typeof name === 'string',
  );
  return {
    atMs: Number.isNaN(time) ? null : time,
    model,
    contextTokens:
      usage === null || usage === undefined
        ? null
        : Object.values(usage).reduce((sum, count) => sum + count, 0),
    call: call === undefined ? null : { tool: call.name ?? '', subject: subjectOf(call.input) },
    todo: todoOf(call?.input),
  };
}

/** Older clients write the whole list, newer ones one step. */
function todoOf(input: ToolInput | null | undefined): string | null | undefined {
  const list = input?.todos ?? null;
  const current = list === null ? input : list.find(({ status }) => status === 'in_progress');
  if (list === null && !STEP_STATUS.includes(input?.status ?? '')) return undefined;
  if (current?.status !== 'in_progress') return null;
  const text = current.activeForm ?? input?.subject ?? current.content ?? null;
  return text === null ? null : shortLine(text);
}
