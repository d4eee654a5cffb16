/** The clock of the waits for quota: a loop's time limit is paused during one. */
import type { QuotaEnd } from '../../../shared/schema/loops/auto-events.ts';
import type { LoopState } from './loop-state.ts';
import { emit, enterRunning, type Step } from './step.ts';

/** Total wait for quota in milliseconds, including the current one. */
export function quotaWaitMs({ quota, quotaWaitTotalMs, ageMs }: LoopState): number {
  return quotaWaitTotalMs + (quota === null ? 0 : ageMs - quota.sinceMs);
}

/** On the loop's clock: when its time limit is over. Waits for quota do not count. */
export function timeoutAge(state: LoopState): number {
  return state.timeoutMinutes * 60_000 + quotaWaitMs(state);
}

/** Ends a wait for quota, if there is one: its time is added up and reported, and the loop runs. */
export function leaveQuota(step: Step, how: QuotaEnd): void {
  const { state } = step;
  if (state.status !== 'quota_wait') return;
  const { sinceMs, nudges } = state.quota;
  const waitedMs = state.ageMs - sinceMs;
  state.quotaWaitTotalMs += waitedMs;
  enterRunning(state);
  const isAtWork = how === 'by_itself' || how === 'nudged';
  step.quota.push(isAtWork ? 'opened' : 'left');
  emit(step, { type: 'auto.quota_left', data: { how, nudges, waited_seconds: waitedMs / 1000 } });
}
