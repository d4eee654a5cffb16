/** Judges how a turn ended from its stream and its process. Pure. */
import { type ErrorCause, errorCause, readLimitLine } from '../failure-patterns.ts';
import { parseResetTime } from '../reading/reset-time.ts';
import { contextPercent, type StreamFacts } from './stream-facts.ts';
import type { Denial, ModelUsage, StreamResult, Usage } from './stream-result.ts';

export type TurnError =
  /** A usage limit; `until` is its end, if known. */
  | 'limit'
  /** The service was overloaded or unreachable: the same message may work in a while. */
  | 'overloaded'
  | 'auth'
  | 'billing'
  /** The client does not know the conversation: the message was not added to it. */
  | 'bad_session'
  | 'max_turns'
  /** It was stopped on request. */
  | 'interrupted'
  | 'invalid_request'
  /** It ended without a result, or with an unknown error. */
  | 'crashed'
  /** The client never ran. */
  | 'not_started'
  /** The client reported success, but its output cannot be read. */
  | 'unreadable';

/**
 * Did the agent get the message? `heard`: its stream shows that it started. `not_heard`: certainly
 * not, so it may be sent again. `unknown`: the client ran, but it is not known how far.
 */
export type Delivery = 'heard' | 'not_heard' | 'unknown';

/** How full the context of the conversation is after a turn. */
export interface TurnContext {
  /** In whole percent; null where the client does not say it. */
  percent: number | null;
  /** Of its last request; absent where the client does not say it. */
  model?: string;
  /** The client compacted the conversation in this turn. */
  isCompacted: boolean;
}

interface TurnSummary {
  delivery: Delivery;
  conversationId: string | null;
  /** Of all its rounds; null without a result. */
  usage: Usage | null;
  costUsd: number | null;
  /** The same by model. */
  spent: readonly ModelUsage[];
  durationMs: number | null;
  denials: Denial[];
  context: TurnContext;
}

export type TurnOutcome =
  | (TurnSummary & { ok: true; text: string })
  /** `detail` as the client wrote it; `until` in milliseconds since 1970. */
  | (TurnSummary & { ok: false; error: TurnError; detail: string; until: number | null });

/** What is known of the ended process. */
export interface TurnEnd {
  started: boolean;
  /** Null for a process that was not our child, and for one ended by a signal. */
  exitCode: number | null;
  signal: string | null;
  /** A stop was requested. */
  stopped: boolean;
  stderrTail: string;
  nowMs: number;
}

/** What the API's errors mean for the sender of the message. */
const ERROR_OF_CAUSE: Record<ErrorCause, TurnError> = {
  rate_limit: 'overloaded',
  overloaded: 'overloaded',
  server_error: 'overloaded',
  network: 'overloaded',
  authentication: 'auth',
  billing: 'billing',
  invalid_request: 'invalid_request',
  model_not_found: 'invalid_request',
  prompt_too_long: 'invalid_request',
  other_error: 'crashed',
};

const BAD_SESSION =
  /No conversation found with session ID|--resume requires a valid session|is not a UUID and does not match any session/i;
/** Exit codes of a shell for a program it cannot run. */
const CANNOT_RUN = new Set([126, 127]);

export function judgeTurn(facts: StreamFacts, end: TurnEnd): TurnOutcome {
  const result = facts.isOpen ? null : facts.result;
  const summary = (delivery: Delivery): TurnSummary => ({
    delivery,
    conversationId: facts.conversationId,
    usage: facts.usage,
    costUsd: facts.costUsd,
    spent: facts.spent,
    durationMs: facts.durationMs,
    denials: facts.denials,
    context: {
      percent: contextPercent(facts),
      ...(facts.context?.model ? { model: facts.context.model } : {}),
      isCompacted: facts.isCompacted,
    },
  });
  const failed = (
    error: TurnError,
    detail: string,
    delivery: Delivery = 'heard',
    until: number | null = null,
  ): TurnOutcome => ({ ...summary(delivery), ok: false, error, detail, until });

  if (!end.started) {
    const error = end.stopped ? 'interrupted' : 'not_started';
    return failed(error, 'the agent never started', 'not_heard');
  }
  if (result === null) {
    const delivery = facts.events > 0 ? 'heard' : 'unknown';
    const nothing = facts.events === 0 && facts.unreadableLines === 0;
    if (nothing && end.exitCode !== null && CANNOT_RUN.has(end.exitCode)) {
      return failed('not_started', end.stderrTail, 'not_heard');
    }
    // Older clients report it only on standard error.
    if (BAD_SESSION.test(end.stderrTail)) {
      return failed('bad_session', end.stderrTail, 'not_heard');
    }
    if (end.stopped) return failed('interrupted', 'stopped before it produced a result', delivery);
    if (end.exitCode === 0 && facts.unreadableLines > 0) {
      return failed(
        'unreadable',
        `${facts.unreadableLines} lines of output are not JSON`,
        delivery,
      );
    }
    return failed('crashed', crashDetail(end), delivery);
  }
  if (!result.isError) return { ...summary('heard'), ok: true, text: result.text };
  const detail = detailOf(result, end);
  if (BAD_SESSION.test(detail)) return failed('bad_session', detail, 'not_heard');
  if (result.subtype === 'error_max_turns') return failed('max_turns', detail);
  if (end.stopped || result.terminalReason.startsWith('aborted')) {
    return failed('interrupted', detail);
  }
  const line = readLimitLine(result.text);
  if (line !== null || (facts.limit !== null && result.status === 429)) {
    const untilText = line?.untilText ?? null;
    const readUntil = untilText === null ? null : parseResetTime(untilText, end.nowMs);
    return failed('limit', detail, 'heard', facts.limit?.resetsAt ?? readUntil);
  }
  // The status is the API's own; an answer may quote any text.
  const cause = errorCause(`${result.text} ${result.status ?? ''} ${result.errors.join(' ')}`);
  return failed(ERROR_OF_CAUSE[cause], detail);
}

function detailOf(result: StreamResult, end: TurnEnd): string {
  return [result.text, ...result.errors].filter(Boolean).join('\n') || end.stderrTail;
}

function crashDetail({ exitCode, signal, stderrTail }: TurnEnd): string {
  const how =
    signal !== null
      ? `ended by ${signal}`
      : exitCode === null
        ? 'disappeared'
        : `exited with ${exitCode}`;
  return stderrTail === '' ? `the agent ${how} without a result` : `${how}: ${stderrTail}`;
}
