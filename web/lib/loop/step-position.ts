import type { Loop } from '$shared/model.ts';

/** The path of a loop; `check` stands in it twice, after the plan and after the work. */
export const STEP_PATH = ['plan', 'check', 'exec', 'check', 'merge', 'report'] as const;

type Progress = Pick<Loop, 'step' | 'next' | 'checkpoint'>;

/**
 * Takes what the last signal said; gives the place in the path where the loop is now, or null
 * before the first signal. A signal names the step that ended and the one that begins.
 */
export function stepPosition({ step, next, checkpoint }: Progress): number | null {
  if (step === null) return null;
  const current = next === null || next === '(stop)' ? step : next;
  if (current !== 'check') return STEP_PATH.indexOf(current);
  const isFirstCheck = next === 'check' ? step === 'plan' : checkpoint === 'post-plan';
  return isFirstCheck ? 1 : 3;
}
