/** Where a task stands: one closed union, in upper case on the wire. */
import { z } from 'zod';

export const TaskStatus = z.enum([
  'PENDING',
  'RUNNING',
  /** Waits for a person, a quota or a pause after an error: `wait` says which. */
  'PAUSED',
  'STOPPED',
  /** The host runs tests and gates. */
  'TESTING',
  'COMPLETED',
  'FAILED',
  /** A limit was reached; a retry adds to what was used. */
  'EXHAUSTED',
]);
export type TaskStatus = z.infer<typeof TaskStatus>;

/** Nothing happens to such a task until a person asks for it. */
export const FINAL_STATUSES: readonly TaskStatus[] = [
  'STOPPED',
  'COMPLETED',
  'FAILED',
  'EXHAUSTED',
];
