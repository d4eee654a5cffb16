import type { AlertIncident } from '../../../shared/schema/alerts/alert-incidents.ts';
import { toIso } from '../../lib/clock.ts';
import type { IncidentRow } from './incident-store.ts';
import type { Rule } from '../rules/rule.ts';

/** `rule` is null when it was removed meanwhile. */
export function incidentView(row: IncidentRow, rule: Rule | null): AlertIncident {
  const { id, seq, type, session, task, reason, title, step, dueMs } = row;
  const next = rule?.steps[step]?.target.kind ?? null;
  return {
    id,
    rule: row.rule,
    name: rule?.name ?? '',
    seq,
    type,
    session,
    task,
    reason,
    title,
    opened_at: row.openedAt,
    step,
    steps: rule?.steps.length ?? 0,
    next_step_at: dueMs === null ? null : toIso(dueMs),
    next_target: dueMs === null ? null : next,
    acknowledged_at: row.acknowledgedAt,
    acknowledged_by: row.acknowledgedBy,
    acknowledged_via: row.acknowledgedVia,
  };
}
