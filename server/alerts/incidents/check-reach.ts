/** An alert that reached no one is itself something a person is needed for. */
import type { Reason } from '../../../shared/schema/reasons.ts';
import type { AlertDeliveryStore } from '../deliveries/alert-delivery-store.ts';
import type { IncidentStore } from './incident-store.ts';
import type { Rule } from '../rules/rule.ts';

interface Need {
  reason: Reason;
  title: string;
  detail: string | null;
}

export interface ReachOptions {
  deliveries: AlertDeliveryStore;
  incidents: IncidentStore;
  /** At most one open item of the inbox for each rule; null: no longer needed. */
  requirePerson: (rule: string, need: Need | null) => void;
}

/**
 * From the rows alone, so that the next daemon finds the same. With steps, only once all that began
 * are dead and none is to come.
 */
export function checkReach(
  { id, name }: Pick<Rule, 'id' | 'name'>,
  { deliveries, incidents, requirePerson }: ReachOptions,
): void {
  const last = deliveries.lastSettled(id);
  if (last === null) return;
  if (last.state === 'sent') return requirePerson(id, null);
  const { incident, type, error } = last;
  const mayReach =
    incident !== null &&
    (!deliveries.areAllDead(incident) || incidents.get(incident)?.dueMs != null);
  if (mayReach) return;
  requirePerson(id, {
    reason: 'alert_undelivered',
    title: `Alert “${name}” reached no one`,
    detail: `${type}: ${error ?? 'failed'}`,
  });
}
