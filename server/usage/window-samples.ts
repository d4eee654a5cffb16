/** Past readings of the plan's windows, and what they forecast. */
import { and, asc, eq, lt } from 'drizzle-orm';
import type { PlanForecast, PlanWindowName } from '../../shared/schema/usage/usage.ts';
import type { Database } from '../db/database.ts';
import { windowReadings } from '../db/usage-schema.ts';
import { toIso } from '../lib/clock.ts';
import { forecastWindow, type WindowForecast, type WindowSample } from './forecast.ts';
import { openWork, type OpenWork, type TaskCosts } from './open-work.ts';
import type { PlanWindows } from './plan-windows.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
/** Closer readings say nothing more about the burn. */
const SPACING_MS = 10 * MINUTE_MS;
const KEPT_MS = 21 * 24 * HOUR_MS;
/** Over which the burn is read: the last hour, or the last day. */
const LOOKBACK_MS: Record<PlanWindowName, number> = { five_hour: HOUR_MS, weekly: 24 * HOUR_MS };

export class WindowSamples {
  readonly #query: Database['query'];
  readonly #samples: Record<PlanWindowName, WindowSample[]>;

  constructor({ query }: Database, windows: PlanWindows) {
    this.#query = query;
    this.#samples = { five_hour: this.#load('five_hour'), weekly: this.#load('weekly') };
    windows.onChange((name) => {
      const reading = windows.now()[name];
      if (reading === null) return;
      const { used_percent: usedPercent, resets_at: resetsAt, read_at: readAt } = reading;
      this.#take(name, { atMs: Date.parse(readAt), usedPercent, resetsAtMs: Date.parse(resetsAt) });
    });
  }

  /** Null where no burn is known. `costOf`: of all work, between two wall times. */
  forecast(
    name: PlanWindowName,
    nowMs: number,
    tasks: TaskCosts,
    costOf: (sinceMs: number, untilMs: number) => number,
  ): PlanForecast | null {
    const samples = this.#samples[name];
    const found = forecastWindow(samples, LOOKBACK_MS[name], nowMs);
    const last = samples.at(-1);
    if (found === null || last === undefined) return null;
    const first = samples.find(({ resetsAtMs }) => resetsAtMs === last.resetsAtMs) ?? last;
    const work = openWork(tasks, {
      percent: last.usedPercent - first.usedPercent,
      costMicros: costOf(first.atMs, last.atMs),
    });
    const { burn, earliestMs, likelyMs, latestMs, learnedFrom } = found;
    const time = (atMs: number | null) => (atMs === null ? null : toIso(Math.round(atMs)));
    return {
      percent_per_hour: burn,
      fits: fits(found, tasks.hasUnsized ? null : work, 100 - last.usedPercent),
      earliest: time(earliestMs),
      likely: time(likelyMs),
      latest: time(latestMs),
      learned_from: learnedFrom,
      open_tasks:
        work === null
          ? null
          : {
              count: tasks.open.length,
              least: work.least,
              likely: work.likely,
              most: work.most,
              learned_from: work.learnedFrom,
            },
    };
  }

  #load(name: PlanWindowName): WindowSample[] {
    const rows = this.#query.select().from(windowReadings).where(eq(windowReadings.name, name));
    const samples = rows.orderBy(asc(windowReadings.atMs)).all();
    return samples.map(({ atMs, usedPercent, resetsAtMs }) => ({ atMs, usedPercent, resetsAtMs }));
  }

  #take(name: PlanWindowName, sample: WindowSample): void {
    const samples = this.#samples[name];
    const last = samples.at(-1);
    const isNear = last !== undefined && sample.atMs - last.atMs < SPACING_MS;
    if (isNear && last.resetsAtMs === sample.resetsAtMs) return;
    this.#query
      .insert(windowReadings)
      .values({ name, ...sample })
      .onConflictDoNothing()
      .run();
    const before = sample.atMs - KEPT_MS;
    const isOld = and(eq(windowReadings.name, name), lt(windowReadings.atMs, before));
    this.#query.delete(windowReadings).where(isOld).run();
    this.#samples[name] = [...samples.filter(({ atMs }) => atMs >= before), sample];
  }
}

/** Work that ends before the window does fits too. `left`: percent of the window. */
function fits(
  { earliestMs, latestMs }: Pick<WindowForecast, 'earliestMs' | 'latestMs'>,
  work: OpenWork | null,
  left: number,
): PlanForecast['fits'] {
  if (earliestMs === null || (work !== null && work.most <= left)) return 'yes';
  return latestMs === null || (work !== null && work.least <= left) ? 'maybe' : 'no';
}
