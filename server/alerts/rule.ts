/** An alert rule as the daemon holds it, with what is never shown: the secret and the cursor. */
import type { AlertReason, QuietHours } from '../../shared/schema/alerts.ts';

export type Target =
  { kind: 'webhook'; url: string; secret: string } | { kind: 'command'; argv: string[] };

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
  target: Target;
  /** Events up to this seq are in its deliveries, or did not match. */
  cursor: number;
  createdAt: string;
}
