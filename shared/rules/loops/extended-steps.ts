/** What loops of the extended profile report besides `loop-steps.ts`; ours never takes these ways. */
import type { LoopResult, LoopStep } from './loop-steps.ts';

export const EXTENDED_STEPS = ['research', 'verify', 'annotate'] as const;
type ExtendedStep = (typeof EXTENDED_STEPS)[number];
export const EXTENDED_RESULTS = [
  '(collected)',
  '(sufficient)',
  '(pass)',
  '(fail)',
  '(partial)',
  '(processed)',
] as const;
export const EXTENDED_CHECKPOINTS = ['post-research', 'quick', 'full'] as const;
export const STEP_CHECKPOINT = /^step-\d{1,6}$/;

export const EXTENDED_ROUTES: readonly {
  step: LoopStep | ExtendedStep;
  results: readonly (LoopResult | (typeof EXTENDED_RESULTS)[number])[] | '*';
  next: LoopStep | ExtendedStep;
}[] = [
  { step: 'research', results: ['(collected)', '(sufficient)'], next: 'plan' },
  { step: 'plan', results: '*', next: 'verify' },
  { step: 'exec', results: ['(done)', '(mid-exec)'], next: 'verify' },
  { step: 'verify', results: ['(pass)', '(fail)', '(partial)'], next: 'check' },
  { step: 'annotate', results: ['(processed)'], next: 'check' },
];
