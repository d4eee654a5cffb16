/** Rules and deliveries as shown to each role. */
import type { AlertDelivery, AlertRule } from '../../shared/schema/alerts.ts';
import type { Role } from '../../shared/schema/people/role.ts';
import { toIso } from '../lib/clock.ts';
import type { DeliveryRow, DeliveryTally } from './alert-delivery-store.ts';
import { nextTryMs } from './plan-delivery.ts';
import type { Rule, Target } from './rule.ts';

/** Replaces the part of a target that can be a secret. */
const HIDDEN = '…';

export function ruleView(
  rule: Rule,
  { waiting, sent, dead, last }: DeliveryTally,
  role: Role,
): AlertRule {
  const { id, name, enabled, types, sessions, tasks, subjects, reasons } = rule;
  const { quietHours, target, createdAt } = rule;
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
    target: targetView(target, role),
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
  const { id, rule: of, seq, type, session, task, state, attempts, status, error } = row;
  const isPlanned = state === 'waiting' && rule?.enabled === true;
  return {
    id,
    rule: of,
    seq,
    type,
    session,
    task,
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

/** A webhook's path and a command's arguments can be credentials of another service. */
function targetView(target: Target, role: Role): AlertRule['target'] {
  if (target.kind === 'webhook') {
    const url = role === 'admin' ? target.url : `${new URL(target.url).origin}/${HIDDEN}`;
    return { kind: 'webhook', url, has_secret: true };
  }
  const [program = '', ...args] = target.argv;
  const shown = role === 'admin' || args.length === 0 ? target.argv : [program, HIDDEN];
  return { kind: 'command', argv: shown };
}
