/**
 * When a model may be asked. A checker is ready, at work, pausing, or off after too many errors in a
 * row; on again by hand or by its configuration. An answer counts only for the check that runs: a
 * late one changes nothing. Pure; times are milliseconds on the machine's clock.
 */
import { CHECK_ERRORS } from '../../../shared/rules/respawn/respawn-keys.ts';

export interface CheckerPolicy {
  /** Pause after a negative verdict. */
  cooldownMs: number;
  /** Pause after the first error. */
  errorPauseMs: number;
}

export interface LastCheck {
  verdict: string | null;
  reasoning: string;
  seconds: number;
}

export type CheckerState = { errors: number; checks: number; last: LastCheck | null } & (
  | { status: 'ready' }
  | { status: 'checking'; id: string; sinceMs: number }
  | { status: 'cooldown'; untilMs: number }
  | { status: 'disabled'; reason: string }
);

/** How a check ended: a verdict that allows what was asked, one that does not, or an error. */
export type CheckEnd =
  | { kind: 'positive' | 'negative'; verdict: string; reasoning: string }
  | { kind: 'error'; reason: string };

export const READY: CheckerState = { status: 'ready', errors: 0, checks: 0, last: null };

export function mayAsk(checker: CheckerState, nowMs: number): boolean {
  return checker.status === 'ready' || (checker.status === 'cooldown' && checker.untilMs <= nowMs);
}

/** When the pause ends; null when none is on. */
export function pauseEndMs(checker: CheckerState, nowMs: number): number | null {
  return checker.status === 'cooldown' && checker.untilMs > nowMs ? checker.untilMs : null;
}

/** Null: it may not be asked now. */
export function ask(checker: CheckerState, id: string, nowMs: number): CheckerState | null {
  if (!mayAsk(checker, nowMs)) return null;
  const { errors, checks, last } = checker;
  return { status: 'checking', id, sinceMs: nowMs, errors, checks: checks + 1, last };
}

/** Null: the answer is to a check that no longer runs. */
export function settle(
  checker: CheckerState,
  id: string,
  end: CheckEnd,
  nowMs: number,
  { cooldownMs, errorPauseMs }: CheckerPolicy,
): CheckerState | null {
  if (checker.status !== 'checking' || checker.id !== id) return null;
  const { checks } = checker;
  const seconds = (nowMs - checker.sinceMs) / 1_000;
  if (end.kind !== 'error') {
    const { verdict, reasoning } = end;
    const known = { errors: 0, checks, last: { verdict, reasoning, seconds } };
    if (end.kind === 'positive') return { status: 'ready', ...known };
    return { status: 'cooldown', untilMs: nowMs + cooldownMs, ...known };
  }
  const errors = checker.errors + 1;
  const known = { errors, checks, last: { verdict: null, reasoning: end.reason, seconds } };
  if (errors >= CHECK_ERRORS.max) return { status: 'disabled', reason: end.reason, ...known };
  const pauseMs = Math.min(CHECK_ERRORS.longest_pause_ms, errorPauseMs * 2 ** (errors - 1));
  return { status: 'cooldown', untilMs: nowMs + pauseMs, ...known };
}

/** The check that runs is no longer needed: neither a verdict nor an error. */
export function drop(checker: CheckerState): CheckerState {
  if (checker.status !== 'checking') return checker;
  const { errors, checks, last } = checker;
  return { status: 'ready', errors, checks, last };
}

/** By hand or by its configuration: errors are forgotten; a check that runs continues. */
export function enable(checker: CheckerState): CheckerState {
  const { checks, last } = checker;
  if (checker.status === 'checking') return { ...checker, errors: 0 };
  return { status: 'ready', errors: 0, checks, last };
}
