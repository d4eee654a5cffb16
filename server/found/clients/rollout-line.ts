/** The lines of a rollout, in which Codex records a conversation. Pure; anything else is null. */
import { z } from 'zod';
import { isAbsolute } from 'node:path';
import { parseJson } from '../../lib/parse-json.ts';

export interface RolloutHead {
  id: string;
  cwd: string;
  atMs: number;
  version: string | null;
  /** One prompt without a person in front of it. */
  isPrint: boolean;
  /** Of an agent that another conversation started. */
  isSubagent: boolean;
}

/**
 * Of a turn. `context` and `item` are written only in a turn, `settings` also between two. `mayAsk`:
 * whether Codex may ask a person before a call. `tool`: null for what is no call.
 */
export type RolloutFact =
  | { kind: 'started' | 'completed' | 'aborted'; atMs: number }
  | { kind: 'context' | 'settings'; mayAsk: boolean; atMs: number }
  | { kind: 'item'; tool: string | null; atMs: number };

const MAX_VERSION = 40;
const MAX_INSTANT = 8.64e15;

const Head = z.object({
  timestamp: z.string(),
  type: z.literal('session_meta'),
  payload: z.object({
    id: z.string().regex(/^[0-9a-f-]{36}$/),
    timestamp: z.string().nullish().catch(null),
    cwd: z.string().max(4096).refine(isAbsolute),
    cli_version: z.string().nullish().catch(null),
    source: z.unknown().optional(),
    thread_source: z.unknown().optional(),
  }),
});

/** Of its first line. */
export function parseRolloutHead(line: string): RolloutHead | null {
  const { success, data } = Head.safeParse(parseJson(line));
  if (!success) return null;
  const { id, timestamp, cwd, cli_version, source, thread_source } = data.payload;
  const atMs = timeOf(timestamp ?? data.timestamp);
  if (atMs === null) return null;
  const isSubagent =
    thread_source === 'subagent' ||
    (typeof source === 'object' && source !== null && 'subagent' in source);
  const version = cli_version?.slice(0, MAX_VERSION) ?? null;
  return { id, cwd, atMs, version, isPrint: source === 'exec', isSubagent };
}

const Line = z.object({
  timestamp: z.string(),
  type: z.enum(['event_msg', 'response_item', 'turn_context']),
  payload: z.object({
    type: z.string().nullish().catch(null),
    name: z.string().nullish().catch(null),
    approval_policy: z.unknown().optional(),
    thread_settings: z.object({ approval_policy: z.unknown().optional() }).nullish().catch(null),
  }),
});

const TURNS: Record<string, 'started' | 'completed' | 'aborted'> = {
  task_started: 'started',
  task_complete: 'completed',
  turn_aborted: 'aborted',
};

export function parseRolloutLine(line: string): RolloutFact | null {
  const { success, data } = Line.safeParse(parseJson(line));
  if (!success) return null;
  const { type, payload } = data;
  const atMs = timeOf(data.timestamp);
  if (atMs === null) return null;
  if (type === 'turn_context') {
    return { kind: 'context', mayAsk: payload.approval_policy !== 'never', atMs };
  }
  const name = payload.type ?? '';
  if (type === 'response_item') {
    return { kind: 'item', tool: name.endsWith('_call') ? (payload.name ?? name) : null, atMs };
  }
  if (name === 'thread_settings_applied') {
    return { kind: 'settings', mayAsk: payload.thread_settings?.approval_policy !== 'never', atMs };
  }
  const kind = Object.hasOwn(TURNS, name) ? TURNS[name] : undefined;
  return kind === undefined ? null : { kind, atMs };
}

function timeOf(text: string): number | null {
  const ms = Date.parse(text);
  return Number.isNaN(ms) || Math.abs(ms) > MAX_INSTANT ? null : ms;
}
