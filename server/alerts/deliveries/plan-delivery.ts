/** Which delivery of a rule is next, and when. */
import type { AlertDeliveryStore, DeliveryRow } from './alert-delivery-store.ts';
import { quietUntil } from '../../../shared/rules/quiet-until.ts';
import { quietEnd, type Rule, type Target, targetOf } from '../rules/rule.ts';

export interface Planned {
  rule: Rule;
  target: Target;
  row: DeliveryRow;
  /** Wall time in milliseconds. */
  atMs: number;
}

/**
 * Of one step; null when none waits. The oldest goes first, of a rule that collects the one due first,
 * and those behind it wait. In quiet hours only excepted reasons go.
 */
export function planDelivery(
  rule: Rule,
  step: number,
  store: Pick<AlertDeliveryStore, 'first' | 'firstOf'>,
  nowMs: number,
): Planned | null {
  const order = rule.digestMinutes === null ? 'event' : 'due';
  const row = store.first(rule.id, step, order);
  const target = targetOf(rule, step);
  if (row === null || target === null) return null;
  const quiet = rule.quietHours;
  const endMs = quiet === null ? null : quietUntil(quiet, nowMs);
  if (quiet === null || endMs === null) return { rule, target, row, atMs: row.dueMs };
  const excepted = store.firstOf(rule.id, step, order, quiet.except_reasons ?? []);
  if (excepted !== null && excepted.dueMs < endMs) {
    return { rule, target, row: excepted, atMs: excepted.dueMs };
  }
  return { rule, target, row, atMs: Math.max(endMs, row.dueMs) };
}

/** Wall time in milliseconds before which the delivery is not sent. */
export function nextTryMs(
  rule: Pick<Rule, 'quietHours'>,
  { dueMs, reason }: Pick<DeliveryRow, 'dueMs' | 'reason'>,
  nowMs: number,
): number {
  return Math.max(dueMs, quietEnd(rule, reason, Math.max(dueMs, nowMs)) ?? dueMs);
}
