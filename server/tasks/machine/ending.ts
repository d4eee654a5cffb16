/** How a task ends, temporarily or finally. */
import type { Reason } from '../../../shared/schema/reasons.ts';
import { enter, iso, type Step } from './step.ts';
import { type EndStatus, type Limits, NOTHING, type TaskState } from './task-state.ts';

const MINUTE_MS = 60_000;
const AT_WORK: readonly TaskState['stage'][] = [
  'preparing',
  'talking',
  'judging',
  'measuring',
  'testing',
];

/** The limit that is used up, or null. */
export function reachedLimit(state: TaskState, limits: Limits): Reason | null {
  const { iterations, outputTokens, costUsd, activeMs } = state;
  if (iterations >= limits.iterations) return 'max_iterations';
  if (limits.tokens !== null && outputTokens >= limits.tokens) return 'max_tokens';
  if (limits.costUsd !== null && costUsd >= limits.costUsd) return 'max_cost';
  return limits.minutes !== null && activeMs >= limits.minutes * MINUTE_MS ? 'timeout' : null;
}

/** Milliseconds at work that remain; null without such a limit. */
export function activeLeftMs({ activeMs }: TaskState, limits: Limits): number | null {
  return limits.minutes === null ? null : limits.minutes * MINUTE_MS - activeMs;
}

/** Stopped for now: what runs is ended; the work stays untouched. */
export function stop(step: Step): void {
  end(step, 'STOPPED', 'user_stop');
}

/** What runs, if anything, is unknown: nothing of it continues. */
export function endRestored(step: Step): void {
  if (step.state.stage === 'none') return;
  end(step, 'STOPPED', 'restored');
}

export function exhaust(step: Step, limit: Reason): void {
  end(step, 'EXHAUSTED', limit);
}

export function fail(step: Step, reason: Reason, error: string): void {
  step.state.error = error;
  end(step, 'FAILED', reason);
}

export function complete(step: Step, reason: Reason): void {
  step.state.error = null;
  end(step, 'COMPLETED', reason);
}

/**
 * Another host may do this work: what runs is ended. What waits in the queue claims it again, and
 * waits for that host.
 */
export function loseClaim(step: Step, holder: string | null): void {
  const { state, task } = step;
  state.claims = null;
  if (state.stage === 'none' || state.stage === 'ending' || state.stage === 'queued') return;
  step.events.push({ type: 'claim.lost', data: { task, holder } });
  end(step, 'STOPPED', 'claim_lost');
  state.error = holder === null ? null : `Host ${holder} has the claim now.`;
}

/** Nothing of it runs, and it continues only when a person starts it: others may work there. */
export function isUnclaimable({ status, reason, stage }: TaskState): boolean {
  const isOver = status === 'COMPLETED' || (status === 'STOPPED' && reason === 'user_stop');
  return isOver && stage === 'none';
}

function end(step: Step, status: EndStatus, reason: Reason): void {
  const { state, wallMs } = step;
  const runs = isAtWork(state) || state.turn !== null;
  enter(state, { ...NOTHING, stage: runs ? 'ending' : 'none', status });
  state.reason = reason;
  state.isUrgent = false;
  state.isLimited = false;
  state.completedAt = status === 'STOPPED' ? null : iso(wallMs);
  if (runs) step.effects.push({ kind: 'end' });
}

/** Whether it occupies a slot. */
export function isAtWork({ stage }: TaskState): boolean {
  return AT_WORK.includes(stage);
}
