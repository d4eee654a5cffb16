/** The status of a task: one closed union, in upper case on the wire. */
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

/** A task in one of these stays there until a person acts. */
export const FINAL_STATUSES: readonly TaskStatus[] = [
  'STOPPED',
  'COMPLETED',
  'FAILED',
  'EXHAUSTED',
];
