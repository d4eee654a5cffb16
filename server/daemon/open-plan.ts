/** The plan of this host's account, as it is shared with the other hosts that use it. */
import type { PlanShare } from '../../shared/schema/fleet.ts';
import type { PlanWindow } from '../../shared/schema/usage/usage.ts';
import { ClientAccount } from '../agents/records/client-account.ts';
import { BudgetUse } from '../budgets/budget-use.ts';
import type { Budgets } from '../budgets/budgets.ts';
import type { Database } from '../db/database.ts';
import type { KnownHost } from '../fleet/hosts.ts';
import { type Clock, toIso } from '../lib/clock.ts';
import type { PlanWindows } from '../usage/plan-windows.ts';
import type { SharedPlan } from '../usage/shared-plan.ts';

/** Hosts report themselves no more often than that. */
const SUMMED_EVERY_MS = 5_000;

export interface Plan {
  /** What this host says of its account; null while that is not known. */
  own: () => PlanShare | null;
  /** After each report of another host. */
  hear: (hosts: readonly KnownHost[]) => void;
}

export function openPlan(options: {
  windows: PlanWindows;
  budgets: Budgets;
  database: Database;
  shared: SharedPlan;
  /** Of the clients. */
  environment: NodeJS.ProcessEnv;
  clock: Clock;
}): Plan {
  const { windows, budgets, database, shared, environment, clock } = options;
  const use = new BudgetUse(database, clock, shared);
  const account = new ClientAccount(environment, clock);
  let known: { share: PlanShare | null; atMs: number } | null = null;
  const share = (): PlanShare | null => {
    const { key } = account;
    if (key === null) return null;
    const { five_hour: fiveHour, weekly } = windows.own();
    return {
      account: key,
      windows: { five_hour: readingOf(fiveHour), weekly: readingOf(weekly) },
      at_work: budgets.refsAtWork().length,
      used: use.usedToday(),
      people: use.ofPeople(),
    };
  };
  return {
    own: () => {
      const nowMs = clock.monotonic();
      if (known === null || nowMs - known.atMs >= SUMMED_EVERY_MS) {
        known = { share: share(), atMs: nowMs };
      }
      return known.share;
    },
    hear: (hosts) => {
      const { key } = account;
      const nowMs = clock.now();
      shared.set(
        hosts.flatMap(({ facts: { name, plan }, isReachable }) =>
          plan === null || plan.account !== key
            ? []
            : [{ name, isReachable, share: withoutFuture(plan, nowMs) }],
        ),
      );
    },
  };
}

function readingOf(window: PlanWindow | null): PlanShare['windows']['weekly'] {
  if (window === null) return null;
  const { host: _, ...reading } = window;
  return reading;
}

/** A clock there may be ahead: no reading is from the future. */
function withoutFuture(plan: PlanShare, nowMs: number): PlanShare {
  const now = toIso(nowMs);
  const clamped = (reading: PlanShare['windows']['weekly']) =>
    reading !== null && reading.read_at > now ? { ...reading, read_at: now } : reading;
  const { five_hour: fiveHour, weekly } = plan.windows;
  return { ...plan, windows: { five_hour: clamped(fiveHour), weekly: clamped(weekly) } };
}
