import { AppError } from '../lib/app-error.ts';

/** `usualMs`: its length without a beginning. Throws `invalid_query`. */
export function intervalOf(
  { since, until }: { since?: string | undefined; until?: string | undefined },
  nowMs: number,
  usualMs: number,
): { sinceMs: number; untilMs: number } {
  const untilMs = Math.min(until === undefined ? nowMs : Date.parse(until), nowMs);
  const sinceMs = since === undefined ? untilMs - usualMs : Date.parse(since);
  if (sinceMs < untilMs) return { sinceMs, untilMs };
  throw new AppError('invalid_query', 'since must be before until and before now');
}
