/** A line of a client's transcript, reduced to what says how a turn ended and what it was asked. */
import { z } from 'zod';
import { boundedText } from '../bounded-text.ts';
import {
  errorCause,
  type ErrorCause,
  limitCause,
  type LimitLine,
  readLimitLine,
} from '../failure-words.ts';

export interface TranscriptLimit {
  cause: LimitLine['cause'];
  /** Milliseconds since 1970, or null where the line has only words. */
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
  /** A prompt as it was sent or queued; one that leaves the queue is not told a second time. */
  | { kind: 'prompt'; atMs: number; text: string }
);

/** Longer lines hold the results of tools. */
const MAX_LINE = 256 * 1024;
/** The client's own words, alone in their line: a person who types them writes a plain text. */
const INTERRUPTED = /^\[Request interrupted by user(?: for tool use)?\]$/;

const Name = boundedText(200).nullish().catch(null);
const Blocks = z
  .array(z.object({ type: z.string(), text: boundedText(4_000).nullish().catch(null) }))
  .max(100);
/** What a person typed is a plain text. */
const Content = z
  .union([boundedText(4_000).transform((text) => [{ type: 'prompt', text }]), Blocks])
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
  content: boundedText(4_000).nullish().catch(null),
  promptSource: Name,
});

type Line = z.infer<typeof Line>;

/** Takes a line of JSON; gives what it tells, or null for every other line and for no JSON. */
export function parseTranscriptLine(text: string): TranscriptFact | null {
  if (text.length > MAX_LINE) return null;
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    return null;
  }
  const { success, data: line } = Line.safeParse(json);
  // What happens in a subagent is not how the agent's own turn ends.
  return success && line.isSidechain !== true ? factOf(line) : null;
}

function factOf(line: Line): TranscriptFact | null {
  const time = Date.parse(line.timestamp ?? '');
  const atMs = Number.isNaN(time) ? null : time;
  const said = line.message?.content.find(({ type }) => type === 'text')?.text ?? null;
  if (line.type === 'system' && line.subtype === 'turn_duration') {
    return { kind: 'turn_end', atMs, durationMs: line.durationMs ?? null };
  }
  if (line.type === 'system' && line.subtype === 'compact_boundary') {
    return { kind: 'compact_boundary', atMs };
  }
  if (line.type === 'user' && said !== null && INTERRUPTED.test(said)) {
    return { kind: 'interrupted', atMs };
  }
  const prompt = promptOf(line);
  if (prompt !== null && atMs !== null) return { kind: 'prompt', atMs, text: prompt };
  if (line.type !== 'assistant' || line.isApiErrorMessage !== true) return null;
  const status = line.apiErrorStatus ?? null;
  const cause = errorCause(`${said ?? ''} ${status ?? ''} ${line.error ?? ''}`);
  return { kind: 'api_error', atMs, cause, status, text: said, limit: limitOf(line, said) };
}

function promptOf({ type, operation, content, promptSource, message }: Line): string | null {
  if (type === 'queue-operation') return operation === 'enqueue' ? (content ?? null) : null;
  if (type !== 'user' || promptSource !== 'typed') return null;
  return message?.content.find(({ text }) => typeof text === 'string')?.text ?? null;
}

function limitOf(line: Line, said: string | null): TranscriptLimit | null {
  const words = said === null ? null : readLimitLine(said);
  if (line.apiError !== 'usage_limit_reached') {
    return words === null ? null : { cause: words.cause, resetsAtMs: null };
  }
  const info = line.apiErrorParams?.rate_limit_info;
  const resetsAt = info?.resetsAt ?? null;
  return {
    cause: limitCause(info?.rateLimitType ?? said ?? ''),
    resetsAtMs: resetsAt === null ? null : resetsAt * 1000,
  };
}
