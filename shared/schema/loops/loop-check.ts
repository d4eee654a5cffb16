/** How the host checks the end of a loop before it is believed. */
import { z } from 'zod';

/** Whether the host checks it, and what follows when the checks fail. */
export const StopCheck = z.enum(['off', 'report', 'send_back']);
export type StopCheck = z.infer<typeof StopCheck>;

/** `none`: nothing ran. `error`: the checks could not be run. */
export const CheckOutcome = z.enum(['passed', 'failed', 'none', 'error']);
export type CheckOutcome = z.infer<typeof CheckOutcome>;

/** Why a loop that ended as completed is not proven to be. */
export const Unproven = z.enum(['checks_failed', 'no_checks', 'not_checked']);
export type Unproven = z.infer<typeof Unproven>;

export const CheckedCommand = z.object({
  command: z.string(),
  status: z.enum(['passed', 'failed', 'no_tests']),
  exit_code: z.int().nullable(),
  /** The end of it. */
  output: z.string(),
  duration_ms: z.number().min(0),
});
export type CheckedCommand = z.infer<typeof CheckedCommand>;

export const LoopChecked = z.object({
  outcome: CheckOutcome,
  /** What was checked out; null where they ran in the directory itself. */
  commit: z.string().nullable(),
  checks: z.array(CheckedCommand),
  /** Why they could not be run. */
  detail: z.string().nullable(),
});
export type LoopChecked = z.infer<typeof LoopChecked>;
