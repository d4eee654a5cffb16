/** How a turn ended, judged from what its stream and its process told. Pure. */
import { type ErrorCause, errorCause, readLimitLine } from '../failure-words.ts';
import { parseResetTime } from '../reading/reset-time.ts';
import type { StreamFacts } from './stream-facts.ts';
import type { Denial, StreamResult, Usage } from './stream-result.ts';

export type TurnError =
  /** A usage limit; `until` says when it ends, where that is known. */
  | 'limit'
  /** The service had no room or was not reached: the same message may work in a while. */
  | 'overloaded'
  | 'auth'
  | 'billing'
  /** The client does not know the conversation: nothing was said in it. */
  | 'bad_session'
  | 'max_turns'
  /** Somebody told it to stop. */
  | 'interrupted'
  | 'invalid_request'
  /** It ended without a result, or with an error that nobody knows. */
  | 'crashed'
  /** The client never ran. */
  | 'not_started'
  /** It ended well by its own word, and what it wrote cannot be read. */
  | 'unreadable';

/**
 * Did the agent get the message? `heard`: its stream shows that it began. `not_heard`: it certainly
 * did not, so that it may be sent again. `unknown`: the client ran, and nobody knows how far.
 */
export type Delivery = 'heard' | 'not_heard' | 'unknown';

interface Told {
  delivery: Delivery;
  sessionId: string | null;
  /** Of all its rounds; null without a result. */
  usage: Usage | null;
  costUsd: number | null;
  durationMs: number | null;
  denials: Denial[];
}

export type TurnOutcome =
  | (Told & { ok: true; text: string })
  /** `detail` in the client's words; `until` in milliseconds since 1970. */
  | (Told & { ok: false; error: TurnError; detail: string; until: number | null });

/** What is known of the process that has ended. */
export interface TurnEnd {
  started: boolean;
  /** Null for a process that was not our child, and for one that a signal ended. */
  exitCode: number | null;
  signal: string | null;
  /** Somebody asked it to stop. */
  stopped: boolean;
  stderrTail: string;
  nowMs: number;
}

/** What the API's errors mean to whoever sent the message. */
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
/** What a shell gives for a program it cannot run. */
const CANNOT_RUN = new Set([126, 127]);

/** Takes all that is known at the end of a turn; gives its outcome. */
export function judgeTurn(facts: StreamFacts, end: TurnEnd): TurnOutcome {
  const result = facts.isOpen ? null : facts.result;
  const told = (delivery: Delivery): Told => ({
    delivery,
    sessionId: facts.sessionId,
    usage: facts.usage,
    costUsd: facts.costUsd,
    durationMs: facts.durationMs,
    denials: facts.denials,
  });
  const failed = (
    error: TurnError,
    detail: string,
    delivery: Delivery = 'heard',
    until: number | null = null,
  ): TurnOutcome => ({ ...told(delivery), ok: false, error, detail, until });

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
    // Older clients say it on standard error alone.
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
  if (!result.isError) return { ...told('heard'), ok: true, text: result.text };
  const detail = detailOf(result, end);
  if (BAD_SESSION.test(detail)) return failed('bad_session', detail, 'not_heard');
  if (result.subtype === 'error_max_turns') return failed('max_turns', detail);
  if (end.stopped || result.terminalReason.startsWith('aborted')) {
    return failed('interrupted', detail);
  }
  const line = readLimitLine(result.text);
  if (line !== null || (facts.limit !== null && result.status === 429)) {
    const words = line?.untilText ?? null;
    const said = words === null ? null : parseResetTime(words, end.nowMs);
    return failed('limit', detail, 'heard', facts.limit?.resetsAt ?? said);
  }
  // The status is the API's own; an answer may quote any words.
  const cause = errorCause(`${result.text} ${result.status ?? ''} ${result.errors.join(' ')}`);
  return failed(ERROR_OF_CAUSE[cause], detail);
}

function detailOf(result: StreamResult, end: TurnEnd): string {
  return [result.text, ...result.errors].filter(Boolean).join('\n') || end.stderrTail;
}

function crashDetail({ exitCode, signal, stderrTail }: TurnEnd): string {
  const how =
    signal !== null ? `ended by ${signal}` : exitCode === null ? 'disappeared' : `exit ${exitCode}`;
  return stderrTail === '' ? `the agent ${how} without a result` : `${how}: ${stderrTail}`;
}
