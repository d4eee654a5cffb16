/** Parses a line of a client's transcript, reduced to how a turn ended, what was asked, said and called. */
import { z } from 'zod';
import { boundedText } from '../bounded-text.ts';
import {
  errorCause,
  type ErrorCause,
  limitCause,
  type LimitLine,
  readLimitLine,
} from '../failure-patterns.ts';
import { parseJson } from '../../lib/parse-json.ts';

export interface TranscriptLimit {
  cause: LimitLine['cause'];
  /** Milliseconds since 1970, or null where the line has only text. */
  resetsAtMs: number | null;
}

export type TranscriptFact = { atMs: number | null } & (
  | { kind: 'turn_end'; durationMs: number | null }
  | { kind: 'interrupted' }
  | {
      kind: 'api_error';
      cause: ErrorCause;
      status: number | null;
      text: string | null;
      limit: TranscriptLimit | null;
    }
  | { kind: 'compact_boundary' }
  /** A prompt when it was sent or queued; leaving the queue is not reported again. */
  | { kind: 'prompt'; atMs: number; text: string }
  /** `end`: of a text of the agent. */
  | { kind: 'said'; end: string }
  | { kind: 'called'; tool: string }
);

/** Longer lines hold the results of tools. */
const MAX_LINE = 256 * 1024;
/** The client's own text, alone in its line: a person who types it writes a plain text. */
const INTERRUPTED = /^\[Request interrupted by user(?: for tool use)?\]$/;

/** Of what the agent says only its last lines matter. */
const MAX_END = 1_000;
const MAX_TEXT = 4_000;

const Name = boundedText(200).nullish().catch(null);
const Blocks = z
  .array(z.object({ type: z.string(), text: z.string().nullish().catch(null), name: Name }))
  .max(100);
/** A person's message is a plain text. */
const Content = z
  .union([
    boundedText(MAX_TEXT).transform((text) => [{ type: 'prompt', text, name: null }]),
    Blocks,
  ])
  .catch([]);
const Line = z.object({
  type: z.string(),
  subtype: Name,
  timestamp: boundedText(40).nullish().catch(null),
  isSidechain: z.boolean().nullish().catch(null),
  durationMs: z.number().nonnegative().nullish().catch(null),
  isApiErrorMessage: z.boolean().nullish().catch(null),
  error: Name,
  apiError: Name,
  apiErrorStatus: z.int().nullish().catch(null),
  apiErrorParams: z
    .object({
      rate_limit_info: z.object({
        resetsAt: z.number().min(0).max(7_258_118_400).nullish().catch(null),
        rateLimitType: Name,
      }),
    })
    .nullish()
    .catch(null),
  message: z.object({ content: Content }).nullish().catch(null),
  operation: Name,
  content: boundedText(MAX_TEXT).nullish().catch(null),
  promptSource: Name,
});

type Line = z.infer<typeof Line>;

/** Null for every other line and for invalid JSON. */
export function parseTranscriptLine(text: string): TranscriptFact | null {
  if (text.length > MAX_LINE) return null;
  const { success, data: line } = Line.safeParse(parseJson(text));
  // The end of a subagent's turn is not the end of the agent's own.
  return success && line.isSidechain !== true ? factOf(line) : null;
}

function factOf(line: Line): TranscriptFact | null {
  const time = Date.parse(line.timestamp ?? '');
  const atMs = Number.isNaN(time) ? null : time;
  const full = line.message?.content.find(({ type }) => type === 'text')?.text ?? null;
  const text = full?.slice(0, MAX_TEXT) ?? null;
  if (line.type === 'system' && line.subtype === 'turn_duration') {
    return { kind: 'turn_end', atMs, durationMs: line.durationMs ?? null };
  }
  if (line.type === 'system' && line.subtype === 'compact_boundary') {
    return { kind: 'compact_boundary', atMs };
  }
  if (line.type === 'user' && text !== null && INTERRUPTED.test(text)) {
    return { kind: 'interrupted', atMs };
  }
  const prompt = promptOf(line);
  if (prompt !== null && atMs !== null) return { kind: 'prompt', atMs, text: prompt };
  if (line.type !== 'assistant') return null;
  if (line.isApiErrorMessage !== true) {
    if (full !== null) return { kind: 'said', atMs, end: full.slice(-MAX_END) };
    const tool = line.message?.content.findLast(({ type }) => type === 'tool_use')?.name ?? null;
    return tool === null ? null : { kind: 'called', atMs, tool };
  }
  const status = line.apiErrorStatus ?? null;
  const cause = errorCause(`${text ?? ''} ${status ?? ''} ${line.error ?? ''}`);
  return { kind: 'api_error', atMs, cause, status, text, limit: limitOf(line, text) };
}

function promptOf({ type, operation, content, promptSource, message }: Line): string | null {
  if (type === 'queue-operation') return operation === 'enqueue' ? (content ?? null) : null;
  if (type !== 'user' || promptSource !== 'typed') return null;
  const full = message?.content.find(({ text }) => typeof text === 'string')?.text;
  return full?.slice(0, MAX_TEXT) ?? null;
}

function limitOf(line: Line, text: string | null): TranscriptLimit | null {
  const limit = text === null ? null : readLimitLine(text);
  if (line.apiError !== 'usage_limit_reached') {
    return limit === null ? null : { cause: limit.cause, resetsAtMs: null };
  }
  const info = line.apiErrorParams?.rate_limit_info;
  const resetsAt = info?.resetsAt ?? null;
  return {
    cause: limitCause(info?.rateLimitType ?? text ?? ''),
    resetsAtMs: resetsAt === null ? null : resetsAt * 1000,
  };
}
