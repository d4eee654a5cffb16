import type { Database } from '../../../server/db/database.ts';
import type { EventLog } from '../../../server/events/event-log.ts';
import type { Clock } from '../../../server/lib/clock.ts';
import { Reserve } from '../../../server/reserve/reserve.ts';
import { PlanWindows } from '../../../server/usage/plan-windows.ts';
import { SharedPlan } from '../../../server/usage/shared-plan.ts';

/** The reserve of a test's database, with its own windows unless others are given. */
export function reserveOf(
  { database, log, clock }: { database: Database; log: EventLog; clock: Clock },
  windows = new PlanWindows(database, new SharedPlan()),
): Reserve {
  return new Reserve({ database, log, clock, windows, shared: new SharedPlan() });
}
