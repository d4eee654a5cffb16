/**
 * The history of work. The first reading reads the whole log; while people ask, the next ones read
 * only what was appended. A while after the last one nothing is kept.
 */
import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import { historyState } from '../../shared/rules/events/history-state.ts';
import type { EventRecord } from '../../shared/schema/events/events.ts';
import type {
  HistoryUnit,
  UnitHistory,
  UnitHistoryQuery,
} from '../../shared/schema/events/history.ts';
import type { ReportShare } from '../../shared/schema/usage/report.ts';
import type { EventLog } from '../events/event-log.ts';
import { type Clock, type Timer, toIso } from '../lib/clock.ts';
import { Serial } from '../lib/serial.ts';
import { ActivitySteps } from './activity-steps.ts';
import { coarseSpans } from './coarse-spans.ts';
import type { KnownWork } from './headless-units.ts';
import { intervalOf } from './interval.ts';
import { workUnit } from './report-unit.ts';
import { noSeconds } from './timeline.ts';
import { unitId, waitsFor } from './unit.ts';
import { UnitFilter } from './unit-filter.ts';
import { UnitLog } from './unit-log.ts';
import type { UnitInInterval } from './units.ts';

const USUAL_MS = 7 * 86_400_000;
/** Bars of the timeline. */
const STEPS = 120;
/** A span of a unit is at least one of so many parts of the range, unless it is alone. */
const SPAN_STEPS = 240;
/** Until what was read is released. */
const KEPT_MS = 600_000;
/** Units between two pauses for other work. */
const BATCH = 500;

export interface UnitHistoriesOptions {
  log: EventLog;
  clock: Clock;
  /** Tasks and runs as stored now. */
  work: () => readonly KnownWork[];
  titleOf: (directory: string) => string | null;
  /** The repository around a directory. */
  rootOf: (directory: string) => string | null;
}

export class UnitHistories {
  readonly #options: UnitHistoriesOptions;
  readonly #serial = new Serial();
  #read: UnitLog | null = null;
  #timer: Timer | null = null;

  constructor(options: UnitHistoriesOptions) {
    this.#options = options;
  }

  /** Throws `invalid_query` for a range that does not begin before its end and before now. */
  async read(query: UnitHistoryQuery): Promise<UnitHistory> {
    return this.#serial.run('read', async () => this.#readNow(query));
  }

  dispose(): void {
    this.#timer?.cancel();
    this.#read = null;
  }

  async #readNow(query: UnitHistoryQuery): Promise<UnitHistory> {
    const { clock, log, titleOf } = this.#options;
    const nowMs = clock.now();
    const { sinceMs, untilMs } = intervalOf(query, nowMs, USUAL_MS);
    const found = (await this.#units()).openIn(sinceMs, untilMs).sort(byStart);
    const filter = new UnitFilter(query);
    const steps = new ActivitySteps(sinceMs, untilMs, STEPS);
    const seconds = noSeconds();
    const matching: UnitInInterval[] = [];
    for (const [index, each] of found.entries()) {
      if (index % BATCH === BATCH - 1) await yieldToEventLoop();
      if (!filter.take(this.#facts(each))) continue;
      matching.push(each);
      steps.add(each.unit.timeline.spansIn(sinceMs, untilMs));
      for (const share of Object.keys(seconds) as ReportShare[]) {
        seconds[share] += each.seconds[share];
      }
    }
    const { before, limit } = query;
    const rest = before === undefined ? matching : matching.filter((each) => isAfter(each, before));
    const page = rest.slice(0, limit);
    const last = page.at(-1);
    const stepMs = (untilMs - sinceMs) / SPAN_STEPS;
    return {
      as_of: toIso(nowMs),
      since: toIso(sinceMs),
      until: toIso(untilMs),
      log_begins: this.#logBegins(),
      total: matching.length,
      units: page.map((each): HistoryUnit => {
        const spans = coarseSpans(each.unit.timeline.spansIn(sinceMs, untilMs), stepMs);
        return {
          ...workUnit(each, { epoch: log.epoch, titleOf }),
          agent: each.unit.agent,
          root: this.#rootOf(each),
          spans: spans.map(({ share, fromMs, toMs }) => {
            return { share, from: toIso(fromMs), to: toIso(toMs) };
          }),
        };
      }),
      next: last === undefined || rest.length === page.length ? null : placeOf(last),
      seconds,
      activity: { step_ms: steps.stepMs, counts: steps.counts() },
      choices: filter.choices(),
    };
  }

  async #units(): Promise<UnitLog['units']> {
    const { log, clock, work } = this.#options;
    this.#timer?.cancel();
    this.#timer = clock.after(KEPT_MS, () => (this.#read = null));
    // Units of events that were removed since would have evidence that is no longer there.
    if (this.#read?.oldest !== log.oldest) this.#read = new UnitLog(log);
    const read = this.#read;
    await read.advance();
    for (const each of work()) read.units.complete(each);
    return read.units;
  }

  #facts(found: UnitInInterval) {
    const { unit } = found;
    const { kind, name, by, project, timeline, outcome } = unit;
    const asked =
      unit.asked ?? (kind === 'loop' && project !== null ? this.#options.titleOf(project) : null);
    const waits_for = waitsFor(unit);
    const state = historyState({ state: timeline.share ?? 'ended', waits_for, outcome });
    return { kind, name, by, project, asked, state, root: this.#rootOf(found) };
  }

  /** Tasks, runs and found sessions name the repository itself. */
  #rootOf({ unit: { kind, project } }: UnitInInterval): string | null {
    const isOwn = kind === 'task' || kind === 'run' || kind === 'found';
    return project === null || isOwn ? project : (this.#options.rootOf(project) ?? project);
  }

  #logBegins(): string | null {
    const { log } = this.#options;
    const [oldest] = log.read(log.oldest - 1, 1);
    return oldest === undefined ? null : (JSON.parse(oldest.json) as EventRecord).at;
  }
}

/** The newest first. */
function byStart(one: UnitInInterval, other: UnitInInterval): number {
  const later = other.unit.timeline.openedMs - one.unit.timeline.openedMs;
  return later || (unitId(one.unit) < unitId(other.unit) ? -1 : 1);
}

/** Where it is in the list. */
function placeOf({ unit }: UnitInInterval): string {
  return `${unit.timeline.openedMs}.${unitId(unit)}`;
}

function isAfter({ unit }: UnitInInterval, place: string): boolean {
  const at = Number(place.slice(0, place.indexOf('.')));
  const { openedMs } = unit.timeline;
  return openedMs < at || (openedMs === at && unitId(unit) > place.slice(place.indexOf('.') + 1));
}
