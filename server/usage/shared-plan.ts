/**
 * What the other hosts of a fleet that use the same account say of it: their readings of the plan's
 * windows, their work that may use it now, and what they used today. Empty for a host that is alone.
 */
import type { BudgetMeasure } from '../../shared/schema/usage/budget.ts';
import type { PlanShare } from '../../shared/schema/fleet.ts';
import type { PlanWindowName } from '../../shared/schema/usage/usage.ts';
import { usedSince } from './days-of-people.ts';

export interface SharingHost {
  name: string;
  /** False: nothing was heard of it for a while. What it used stays used. */
  isReachable: boolean;
  share: PlanShare;
}

export class SharedPlan {
  readonly #changed: (() => void)[] = [];
  #hosts: readonly SharingHost[] = [];

  onChange(changed: () => void): void {
    this.#changed.push(changed);
  }

  /** After each report of another host. */
  set(hosts: readonly SharingHost[]): void {
    if (JSON.stringify(hosts) === JSON.stringify(this.#hosts)) return;
    this.#hosts = hosts;
    for (const changed of this.#changed) changed();
  }

  /** How much there may use the plan at this moment. */
  atWork(): number {
    const reachable = this.#hosts.filter(({ isReachable }) => isReachable);
    return reachable.reduce((sum, { share }) => sum + share.at_work, 0);
  }

  /** Since that day (UTC), included, in the units of budgets; `person` null: by everyone. */
  usedSince(since: string, person: string | null): Record<BudgetMeasure, number> {
    const sum = { cost: 0, tokens: 0, minutes: 0 };
    for (const { share } of this.#hosts) {
      const { cost, tokens, minutes } = usedSince(share, since, person);
      sum.cost += cost;
      sum.tokens += tokens;
      sum.minutes += minutes;
    }
    return sum;
  }

  /** The newest reading there; null without one. */
  reading(name: PlanWindowName) {
    const readings = this.#hosts.flatMap(({ name: host, share }) => {
      const reading = share.windows[name];
      return reading === null ? [] : [{ ...reading, host }];
    });
    return readings.sort((one, other) => other.read_at.localeCompare(one.read_at))[0] ?? null;
  }
}
