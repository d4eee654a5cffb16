/** Which delivery of a rule is next, and when. */
import type { AlertDeliveryStore, DeliveryRow } from './alert-delivery-store.ts';
import { quietUntil } from '../../shared/rules/quiet-until.ts';
import type { Rule } from './rule.ts';

export interface Planned {
  rule: Rule;
  row: DeliveryRow;
  /** Wall time in milliseconds. */
  atMs: number;
}

/**
 * Null when none waits. The oldest goes first, and those behind it wait. In quiet hours only
 * excepted reasons go.
 */
export function planDelivery(
  rule: Rule,
  store: Pick<AlertDeliveryStore, 'first' | 'firstOf'>,
  nowMs: number,
): Planned | null {
  const row = store.first(rule.id);
  if (row === null) return null;
  const quiet = rule.quietHours;
  const endMs = quiet === null ? null : quietUntil(quiet, nowMs);
  if (quiet === null || endMs === null) return { rule, row, atMs: row.dueMs };
  const excepted = store.firstOf(rule.id, quiet.except_reasons ?? []);
  if (excepted !== null && excepted.dueMs < endMs) {
    return { rule, row: excepted, atMs: excepted.dueMs };
  }
  return { rule, row, atMs: Math.max(endMs, row.dueMs) };
}

/** Wall time in milliseconds before which the delivery is not sent. */
export function nextTryMs(
  { quietHours }: Pick<Rule, 'quietHours'>,
  { dueMs, reason }: Pick<DeliveryRow, 'dueMs' | 'reason'>,
  nowMs: number,
): number {
  if (quietHours === null) return dueMs;
  const isExcepted = (quietHours.except_reasons ?? []).some((one) => one === reason);
  const at = Math.max(dueMs, nowMs);
  return isExcepted ? dueMs : Math.max(dueMs, quietUntil(quietHours, at) ?? dueMs);
}
