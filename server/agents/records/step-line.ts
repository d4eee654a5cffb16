/** A line of a client's transcript as the calls of tools it holds, and the results of earlier ones. */
import { z } from 'zod';
import {
  type AgentStep,
  type StepResult,
  TODO_STATUSES,
} from '../../../shared/schema/agents/session-activity.ts';
import { boundedText } from '../bounded-text.ts';
import { MAX_TRANSCRIPT_LINE, shortLine, subjectOf, ToolInput } from './tool-input.ts';
import { parseJson } from '../../lib/parse-json.ts';

/** Every line of interest contains one of these; others are not parsed. */
const SIGNS = ['"tool_use"', '"tool_result"'];
const MAX_DATE_MS = 8.64e15;
const MAX_TODOS = 100;
const MAX_FILE = 1_000;
const MAX_RESULT = 200;
const CHANGING = ['Edit', 'MultiEdit', 'Write', 'NotebookEdit'];
/** Their `path` is where they search, not a file. */
const FILE_FIELDS = ['file_path', 'notebook_path'];
const SUBAGENT_TOOLS = ['Task', 'Agent'];
const CREATED = /^Task #(\d{1,6}) created/;

const Id = z.string().min(1).max(200);
/** Of a result only how it begins matters. */
const Result = z
  .union([
    boundedText(MAX_RESULT),
    z
      .array(z.object({ text: boundedText(MAX_RESULT).nullish().catch(null) }))
      .max(100)
      .transform(([first]) => first?.text ?? null),
  ])
  .nullish()
  .catch(null);
const Block = z.object({
  type: z.string(),
  id: Id.nullish().catch(null),
  name: boundedText(100).nullish().catch(null),
  input: ToolInput.nullish().catch(null),
  tool_use_id: Id.nullish().catch(null),
  is_error: z.boolean().nullish().catch(null),
  content: Result,
});
const Line = z.object({
  type: z.enum(['assistant', 'user']),
  timestamp: boundedText(40).nullish().catch(null),
  isSidechain: z.boolean().nullish().catch(null),
  message: z.object({ content: z.array(Block).max(100).catch([]) }),
});
type Block = z.infer<typeof Block>;

export interface StepFacts {
  steps: AgentStep[];
  results: StepResult[];
}

/** Null for every other line and for invalid JSON. */
export function parseStepLine(text: string): StepFacts | null {
  if (text.length > MAX_TRANSCRIPT_LINE || !SIGNS.some((sign) => text.includes(sign))) return null;
  const { success, data: line } = Line.safeParse(parseJson(text));
  if (!success) return null;
  const { content } = line.message;
  const isBySubagent = line.isSidechain === true;
  const at = timeOf(line.timestamp ?? '');
  return {
    steps: content.flatMap((block) => stepOf(block, at, isBySubagent) ?? []),
    results: content.flatMap((block) => resultOf(block) ?? []),
  };
}

function stepOf(block: Block, at: string | null, isBySubagent: boolean): AgentStep | null {
  const { type, id, name, input } = block;
  if (type !== 'tool_use' || typeof id !== 'string' || typeof name !== 'string') return null;
  const file = FILE_FIELDS.map((field) => input?.[field]).find((each) => typeof each === 'string');
  const kind = input?.['subagent_type'];
  const isStart = SUBAGENT_TOOLS.includes(name);
  return {
    id,
    at,
    tool: shortLine(name),
    subject: isStart ? lineOrNull(input?.['description']) : subjectOf(input),
    file: file === undefined ? null : file.slice(0, MAX_FILE),
    changes: CHANGING.includes(name),
    subagent: isStart ? (lineOrNull(kind) ?? 'general-purpose') : null,
    is_by_subagent: isBySubagent,
    todos: todosOf(input),
    todo: todoOf(name, input),
  };
}

function resultOf({ type, tool_use_id: id, is_error, content }: Block): StepResult | null {
  if (type !== 'tool_result' || typeof id !== 'string') return null;
  return { id, failed: is_error === true, todo: CREATED.exec(content ?? '')?.[1] ?? null };
}

/** Older clients write the whole list. */
function todosOf(input: ToolInput | null | undefined): AgentStep['todos'] {
  const todos = input?.todos ?? null;
  if (todos === null) return null;
  return todos.slice(0, MAX_TODOS).map(({ content, activeForm, status }) => ({
    text: shortLine(content ?? activeForm ?? ''),
    status: statusOf(status) ?? 'pending',
  }));
}

/** Newer ones write one step. */
function todoOf(tool: string, input: ToolInput | null | undefined): AgentStep['todo'] {
  const text = lineOrNull(input?.subject);
  if (tool === 'TaskCreate') return { id: null, text, status: 'pending' };
  const id = input?.['taskId'];
  if (tool !== 'TaskUpdate' || typeof id !== 'string') return null;
  return { id: shortLine(id), text, status: statusOf(input?.status) };
}

function statusOf(word: string | null | undefined): (typeof TODO_STATUSES)[number] | null {
  return TODO_STATUSES.find((each) => each === word) ?? null;
}

function lineOrNull(value: unknown): string | null {
  return typeof value === 'string' ? shortLine(value) : null;
}

function timeOf(text: string): string | null {
  const ms = Date.parse(text);
  return Number.isNaN(ms) || Math.abs(ms) > MAX_DATE_MS ? null : new Date(ms).toISOString();
}
