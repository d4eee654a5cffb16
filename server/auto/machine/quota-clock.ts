/** The clock of the waits for quota: a loop's time limit stands while one of them lasts. */
import type { QuotaEnd } from '../../../shared/schema/loops/auto-events.ts';
import type { LoopState } from './loop-state.ts';
import { emit, type Step } from './step.ts';

/** Takes a state; gives how long it has waited for quota in all, in milliseconds, now included. */
export function quotaWaitMs({ quota, quotaWaitTotalMs, ageMs }: LoopState): number {
  return quotaWaitTotalMs + (quota === null ? 0 : ageMs - quota.sinceMs);
}

/** Ends a wait for quota, if there is one: its time is added up and told. */
export function leaveQuota(step: Step, how: QuotaEnd): void {
  const { state } = step;
  if (state.quota === null) return;
  const { sinceMs, nudges } = state.quota;
  const waitedMs = state.ageMs - sinceMs;
  state.quotaWaitTotalMs += waitedMs;
  state.quota = null;
  const isAtWork = how === 'by_itself' || how === 'nudged';
  step.quota.push(isAtWork ? 'opened' : 'left');
  emit(step, { type: 'auto.quota_left', data: { how, nudges, waited_seconds: waitedMs / 1000 } });
}
