/** Limits of a run that names none. */

/** Fix rounds after the first review. */
export const DEFAULT_FIX_ROUNDS = 6;
/** How often the same failure may be seen before the run counts as stuck. */
export const DEFAULT_SAME_FAILURES = 3;
/** Working time, in minutes. */
export const DEFAULT_RUN_MINUTES = 720;
