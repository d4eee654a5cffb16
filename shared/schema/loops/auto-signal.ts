/**
 * The two control files of an auto loop: `.auto-signal` (agent → daemon) and `.auto-stop` (daemon →
 * agent), with the fields a signal may have. What each field may hold, and which combinations make
 * sense, is in `shared/rules/loops/loop-steps.ts`. Does not touch files.
 */
import { z } from 'zod';
import { isAllowed } from '../../rules/loops/loop-routing.ts';
import {
  EXTENDED_CHECKPOINTS,
  EXTENDED_RESULTS,
  EXTENDED_STEPS,
  STEP_CHECKPOINT,
} from '../../rules/loops/extended-steps.ts';
import {
  LOOP_CHECKPOINTS,
  LOOP_RESULTS,
  LOOP_STEPS,
  type SignalProfile,
  STEP_RESULT,
  STOP,
} from '../../rules/loops/loop-steps.ts';

export const SIGNAL_FILE = '.auto-signal';
export const SIGNAL_TEMPORARY_FILE = '.auto-signal.tmp';
export const STOP_FILE = '.auto-stop';

/** The highest iteration a signal may claim; anything above is malicious. */
const MAX_ITERATION = 1_000_000;

/** What loops of any profile may report. */
export const SignalStep = z.enum([...LOOP_STEPS, ...EXTENDED_STEPS]);
export const SignalNext = z.enum([...LOOP_STEPS, ...EXTENDED_STEPS, STOP]);
export const SignalCheckpoint = z.union([
  z.enum([...LOOP_CHECKPOINTS, ...EXTENDED_CHECKPOINTS]),
  z.string().regex(STEP_CHECKPOINT),
]);
export const SignalResult = z.union([
  z.enum([...LOOP_RESULTS, ...EXTENDED_RESULTS]),
  z.string().regex(STEP_RESULT),
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
  /** Of the daemon's run that started the agent; absent when a person did. */
  run_id: z.string().max(100).optional(),
});
export type AutoSignal = z.infer<typeof AutoSignal>;

const LISTED = ['step', 'result', 'next', 'checkpoint'] as const;

/** The field of a signal that its loop's profile does not know; null when it knows them all. */
export function unlistedField(
  signal: AutoSignal,
  profile: SignalProfile,
): (typeof LISTED)[number] | null {
  return LISTED.find((field) => !isAllowed(field, signal[field], profile)) ?? null;
}

export const StopFileReason = z.enum(['timeout', 'max_iterations', 'user_stop', 'stall_limit']);
export type StopFileReason = z.infer<typeof StopFileReason>;
