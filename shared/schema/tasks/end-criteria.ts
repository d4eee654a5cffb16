/** When a task ends: its criteria, gates and limits. */
import { z } from 'zod';

export const DEFAULT_TASK_ITERATIONS = 20;

/** Passed as an argument to a program, which cannot hold a NUL. */
const Command = z
  .string()
  .trim()
  .min(1)
  .max(2_000)
  .regex(/^[^\0]*$/, 'must not contain a NUL character');
/** A command whose exit code decides, run by the host in a clean checkout of that exact commit. */
export const Gate = z.strictObject({
  name: z.string().trim().min(1).max(60),
  command: Command,
});
export type Gate = z.infer<typeof Gate>;

export const Iterations = z.int().min(1).max(1_000);
const UnchangedTurns = z.int().min(0).max(1_000);
const Tokens = z.int().min(1).max(1_000_000_000);

export const Limits = {
  /** Null: the default. */
  max_iterations: Iterations.nullable().default(DEFAULT_TASK_ITERATIONS),
  /** Output tokens. */
  max_tokens: Tokens.nullable().optional(),
  max_cost_usd: z.number().positive().max(100_000).nullable().optional(),
  /** Working time; waits for quota do not count. */
  max_minutes: z.int().min(1).max(100_000).nullable().optional(),
  /** Turns in a row without progress; 0 is never, null the setting of the daemon. */
  max_unchanged_turns: UnchangedTurns.nullable().optional(),
};

export const EndCriteria = z.object({
  criteria: z.string().nullable(),
  max_iterations: z.int(),
  max_tokens: z.int().nullable(),
  max_cost_usd: z.number().nullable(),
  max_minutes: z.int().nullable(),
  /** Absent: the setting of the daemon. */
  max_unchanged_turns: UnchangedTurns.optional(),
  gates: z.array(Gate),
  /** Null: the host detects how the project is tested. Empty: no tests. */
  test_commands: z.array(z.string()).nullable(),
  /** Present when nothing says when the task is done. */
  warning: z.string().optional(),
});
export type EndCriteria = z.infer<typeof EndCriteria>;

export const Criteria = z.string().trim().max(10_000);
export const TestCommands = z.array(Command).max(10);
export const Gates = z.array(Gate).max(10);
