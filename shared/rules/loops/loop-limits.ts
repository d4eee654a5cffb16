/** The limits of a loop. Free of zod: the page imports them. */

export const DEFAULT_MAX_ITERATIONS = 20;
export const MAX_ITERATIONS = 1000;
export const DEFAULT_TIMEOUT_MINUTES = 30;
export const MAX_TIMEOUT_MINUTES = 10_080;
