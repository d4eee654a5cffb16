/**
 * The two control files of an auto loop: `.auto-signal` (agent → daemon) and `.auto-stop` (daemon →
 * agent), with the whitelists a signal must pass and the routing table of the combinations that
 * make sense. Does not touch files.
 */
import { z } from 'zod';

export const SIGNAL_FILE = '.auto-signal';
export const SIGNAL_TEMPORARY_FILE = '.auto-signal.tmp';
export const STOP_FILE = '.auto-stop';

const SIGNAL_STEPS = ['plan', 'check', 'exec', 'merge', 'report'] as const;
const SIGNAL_CHECKPOINTS = ['', 'post-plan', 'mid-exec', 'post-exec'] as const;
const SIGNAL_RESULTS = [
  'PASS',
  'NEEDS_REVISION',
  'ACCEPT',
  'NEEDS_FIX',
  'REPLAN',
  'BLOCKED',
  'CONTINUE',
  '(generated)',
  '(annotations)',
  '(done)',
  '(mid-exec)',
  '(blocked)',
  'success',
  'conflict',
] as const;

const STOP = '(stop)';

/** The highest iteration a signal may claim; anything above is malicious. */
const MAX_ITERATION = 1_000_000;

export const SignalStep = z.enum(SIGNAL_STEPS);
export const SignalNext = z.enum([...SIGNAL_STEPS, STOP]);
export const SignalCheckpoint = z.enum(SIGNAL_CHECKPOINTS);
export const SignalResult = z.union([
  z.enum(SIGNAL_RESULTS),
  z.string().regex(/^\(step-\d{1,6}\)$/),
]);

/** One progress report. Unknown keys are dropped, so that nothing unlisted is passed on. */
export const AutoSignal = z.object({
  step: SignalStep,
  result: SignalResult,
  next: SignalNext,
  checkpoint: SignalCheckpoint.default(''),
  /** Completed steps so far; absent when a sub-command was run by hand. */
  iteration: z.int().min(0).max(MAX_ITERATION).optional(),
  timestamp: z.iso.datetime({ offset: true, local: true }),
});
export type AutoSignal = z.infer<typeof AutoSignal>;

export const StopFileReason = z.enum(['timeout', 'max_iterations', 'user_stop', 'stall_limit']);
export type StopFileReason = z.infer<typeof StopFileReason>;

type Route = Pick<AutoSignal, 'step' | 'result' | 'next' | 'checkpoint'>;

/** `null` means any. The first rows are the loop; `(step-N)` is read as `(mid-exec)`. */
const ROUTES: readonly {
  step: Route['step'];
  result: string | null;
  next: Route['next'];
  checkpoints: readonly Route['checkpoint'][];
}[] = [
  { step: 'check', result: 'PASS', next: 'exec', checkpoints: [''] },
  { step: 'check', result: 'NEEDS_REVISION', next: 'plan', checkpoints: [''] },
  { step: 'check', result: 'ACCEPT', next: 'merge', checkpoints: [''] },
  { step: 'check', result: 'NEEDS_FIX', next: 'exec', checkpoints: ['mid-exec', 'post-exec'] },
  { step: 'check', result: 'REPLAN', next: 'plan', checkpoints: [''] },
  { step: 'check', result: 'BLOCKED', next: STOP, checkpoints: [''] },
  { step: 'check', result: 'CONTINUE', next: 'exec', checkpoints: [''] },
  { step: 'plan', result: null, next: 'check', checkpoints: ['post-plan'] },
  { step: 'exec', result: '(done)', next: 'check', checkpoints: ['post-exec'] },
  { step: 'exec', result: '(mid-exec)', next: 'check', checkpoints: ['mid-exec'] },
  { step: 'exec', result: '(blocked)', next: STOP, checkpoints: [''] },
  { step: 'merge', result: 'success', next: 'report', checkpoints: [''] },
  { step: 'merge', result: 'conflict', next: STOP, checkpoints: [''] },
  { step: 'report', result: null, next: STOP, checkpoints: [''] },
];

/**
 * Whether the routing table contains the combination of a signal that passed the whitelists. A
 * missing checkpoint matches any.
 */
export function isRouted(signal: Route): boolean {
  const result = signal.result.startsWith('(step-') ? '(mid-exec)' : signal.result;
  return ROUTES.some(
    (route) =>
      route.step === signal.step &&
      (route.result === null || route.result === result) &&
      route.next === signal.next &&
      (signal.checkpoint === '' || route.checkpoints.includes(signal.checkpoint)),
  );
}
