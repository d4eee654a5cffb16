/** Rules and deliveries as shown to each role. */
import type { AlertDelivery, AlertRule } from '../../shared/schema/alerts/alerts.ts';
import type { Role } from '../../shared/schema/people/role.ts';
import { toIso } from '../lib/clock.ts';
import type { DeliveryRow, DeliveryTally } from './deliveries/alert-delivery-store.ts';
import { nextTryMs } from './deliveries/plan-delivery.ts';
import type { Rule } from './rules/rule.ts';
import { targetView } from './sending/target-from.ts';

export function ruleView(
  rule: Rule,
  { waiting, sent, dead, last }: DeliveryTally,
  role: Role,
): AlertRule {
  const { id, name, enabled, types, sessions, tasks, subjects, reasons } = rule;
  const { quietHours, digestMinutes, target, steps, createdAt } = rule;
  return {
    id,
    name,
    enabled,
    types,
    sessions,
    tasks,
    subjects,
    reasons,
    waiting,
    sent,
    dead,
    quiet_hours: quietHours,
    digest_minutes: digestMinutes,
    target: targetView(target, role),
    steps: steps.map((step) => ({
      after_minutes: step.afterMinutes,
      target: targetView(step.target, role),
    })),
    created_at: createdAt,
    last_attempt: last,
  };
}

export function deliveryView(
  row: DeliveryRow,
  rule: Rule | null,
  nowMs: number,
  role: Role,
): AlertDelivery {
  const { id, rule: of, seq, type, session, task, events, step } = row;
  const { state, attempts, status, error } = row;
  const isPlanned = state === 'waiting' && rule?.enabled === true;
  return {
    id,
    rule: of,
    seq,
    type,
    session,
    task,
    events,
    step,
    state,
    attempts,
    status,
    error,
    output: role === 'admin' ? row.output : null,
    next_try_at: isPlanned ? toIso(nextTryMs(rule, row, nowMs)) : null,
    created_at: row.createdAt,
    changed_at: row.changedAt,
  };
}
