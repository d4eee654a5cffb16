/** The windows of the plan: the newest reading of each by any client of the account, also elsewhere. */
import type { PlanWindow, PlanWindowName } from '../../shared/schema/usage/usage.ts';
import { PLAN_WINDOWS } from '../../shared/schema/usage/usage.ts';
import type { RateLimit, StatusLine } from '../agents/records/status-line.ts';
import type { Database } from '../db/database.ts';
import { planWindows } from '../db/usage-schema.ts';
import { toIso } from '../lib/clock.ts';
import type { SharedPlan } from './shared-plan.ts';

/** A reading that only grew older by less is not written again. */
const WORTH_WRITING_MS = 60_000;

type Row = typeof planWindows.$inferSelect;

export class PlanWindows {
  readonly #query: Database['query'];
  readonly #newest: Map<PlanWindowName, Row>;
  readonly #changed: ((name: PlanWindowName) => void)[] = [];
  readonly #shared: SharedPlan;

  constructor({ query }: Database, shared: SharedPlan) {
    this.#query = query;
    this.#shared = shared;
    this.#newest = new Map(
      query
        .select()
        .from(planWindows)
        .all()
        .map((row) => [row.name, row]),
    );
    shared.onChange(() => {
      for (const name of PLAN_WINDOWS) this.#announce(name);
    });
  }

  /** A newer reading of a window was taken. */
  onChange(changed: (name: PlanWindowName) => void): void {
    this.#changed.push(changed);
  }

  /** After each reading of a status line. `nowMs` is the wall time: none is from the future. */
  seen(session: string, { fiveHour, weekly, writtenAtMs }: StatusLine, nowMs: number): void {
    if (writtenAtMs === null) return;
    const readAtMs = Math.min(Math.floor(writtenAtMs), nowMs);
    this.#take('five_hour', fiveHour, { session, readAtMs });
    this.#take('weekly', weekly, { session, readAtMs });
  }

  /** The newest readings of all hosts with this account. */
  now(): Record<PlanWindowName, PlanWindow | null> {
    const own = this.own();
    return {
      five_hour: this.#newer(own.five_hour, 'five_hour'),
      weekly: this.#newer(own.weekly, 'weekly'),
    };
  }

  /** Those of this host's clients. */
  own(): Record<PlanWindowName, PlanWindow | null> {
    const [fiveHour = null, weekly = null] = PLAN_WINDOWS.map((name) => this.#view(name));
    return { five_hour: fiveHour, weekly };
  }

  #newer(own: PlanWindow | null, name: PlanWindowName): PlanWindow | null {
    const other = this.#shared.reading(name);
    return own === null || (other !== null && other.read_at > own.read_at) ? other : own;
  }

  #announce(name: PlanWindowName): void {
    for (const changed of this.#changed) changed(name);
  }

  #view(name: PlanWindowName): PlanWindow | null {
    const row = this.#newest.get(name);
    if (row === undefined) return null;
    const { usedPercent, resetsAtMs, readAtMs, session } = row;
    const times = { resets_at: toIso(resetsAtMs), read_at: toIso(readAtMs) };
    return { used_percent: usedPercent, ...times, session, host: null };
  }

  #take(
    name: PlanWindowName,
    limit: RateLimit | null,
    { session, readAtMs }: { session: string; readAtMs: number },
  ): void {
    if (limit === null) return;
    const { usedPercent } = limit;
    const resetsAtMs = Math.floor(limit.resetsAtMs);
    const known = this.#newest.get(name);
    if (known !== undefined) {
      const isSame = known.usedPercent === usedPercent && known.resetsAtMs === resetsAtMs;
      const newerByMs = readAtMs - known.readAtMs;
      if (newerByMs <= 0 || (isSame && newerByMs < WORTH_WRITING_MS)) return;
    }
    const columns = { usedPercent, resetsAtMs, readAtMs, session };
    this.#query
      .insert(planWindows)
      .values({ name, ...columns })
      .onConflictDoUpdate({ target: planWindows.name, set: columns })
      .run();
    this.#newest.set(name, { name, ...columns });
    this.#announce(name);
  }
}
