/** An alert rule as the daemon holds it, with what is never shown: the secret and the cursor. */
import { quietUntil } from '../../../shared/rules/quiet-until.ts';
import type { AlertTarget, ServiceKind } from '../../../shared/schema/alerts/alert-targets.ts';
import type { AlertReason, QuietHours } from '../../../shared/schema/alerts/alerts.ts';

type Stored<Given> = Given extends { kind: 'command' | 'push' }
  ? Given
  : Omit<Given, 'secret'> & { secret: string };

/** With its secret, which is empty where a service needs none. */
export type Target = Stored<AlertTarget>;
/** One that gets a message for a person. */
export type Service = Extract<Target, { kind: ServiceKind }>;

/** Who is next without an acknowledgement. */
export interface Step {
  afterMinutes: number;
  target: Target;
}

export interface Rule {
  id: string;
  name: string;
  enabled: boolean;
  types: string[];
  sessions: string[] | null;
  tasks: string[] | null;
  /** What events are about, as `kind:id`. */
  subjects: string[] | null;
  reasons: AlertReason[] | null;
  quietHours: QuietHours | null;
  /** How long events of one cause are collected after one was sent; null: never. */
  digestMinutes: number | null;
  target: Target;
  /** In order; empty: nothing to acknowledge. */
  steps: Step[];
  /** Events up to this seq are in its deliveries, or did not match. */
  cursor: number;
  createdAt: string;
}

/** Of a delivery, by its step; null when the step was removed from the rule. */
export function targetOf(rule: Pick<Rule, 'target' | 'steps'>, step: number): Target | null {
  return step === 0 ? rule.target : (rule.steps[step - 1]?.target ?? null);
}

/** The end of the rule's quiet hours in milliseconds; null outside, and for an excepted reason. */
export function quietEnd(
  { quietHours }: Pick<Rule, 'quietHours'>,
  reason: string | null,
  nowMs: number,
): number | null {
  if (quietHours === null) return null;
  const isExcepted = (quietHours.except_reasons ?? []).some((one) => one === reason);
  return isExcepted ? null : quietUntil(quietHours, nowMs);
}
