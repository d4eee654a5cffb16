/** The morning report, from the log, the ledger, the worktrees and the inbox. */
import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import type { EventRecord } from '../../shared/schema/events/events.ts';
import type {
  Report,
  ReportAnomaly,
  ReportQuery,
  ReportUnit,
} from '../../shared/schema/usage/report.ts';
import type { Subject } from '../../shared/schema/events/subject.ts';
import type { Attention } from '../attention/attention.ts';
import type { EventLog } from '../events/event-log.ts';
import { type Clock, toIso } from '../lib/clock.ts';
import type { UsageReports } from '../usage/usage-report.ts';
import type { Worktrees } from '../worktrees/worktrees.ts';
import { anomaliesOf } from './anomalies.ts';
import type { KnownWork } from './headless-units.ts';
import { type ChangedBranch, mergeOrders, overlapsOf } from './merge-order.ts';
import { intervalOf } from './interval.ts';
import { needsOf } from './needs.ts';
import { type Branches, NO_BRANCHES, readBranches } from './read-branches.ts';
import { noSeconds } from './timeline.ts';
import { reportUnit } from './report-unit.ts';
import type { Unit } from './unit.ts';
import { UnitLog } from './unit-log.ts';

const USUAL_MS = 12 * 3_600_000;
const MAX_ITEMS = 1_000;

export type ReportedWork = KnownWork & {
  /** The key of its worktrees. */
  owner: string;
  dependsOn: readonly string[];
};

export interface ReportsOptions {
  log: EventLog;
  clock: Clock;
  usage: UsageReports;
  worktrees: Worktrees;
  attention: Pick<Attention, 'list'>;
  /** Tasks and runs as stored now. */
  work: () => readonly ReportedWork[];
  /** The title of the task module of a loop. */
  titleOf: (directory: string) => string | null;
}

export class Reports {
  readonly #options: ReportsOptions;

  constructor(options: ReportsOptions) {
    this.#options = options;
  }

  /** Throws `invalid_query` for an interval that does not begin before its end and before now. */
  async read(query: ReportQuery): Promise<Report> {
    const { clock, usage, log, worktrees, attention, titleOf } = this.#options;
    const nowMs = clock.now();
    const { sinceMs, untilMs } = intervalOf(query, nowMs, USUAL_MS);
    const read = new UnitLog(log, untilMs);
    await read.advance();
    const { units } = read;
    const crashes = read.crashes.filter(({ at }) => Date.parse(at) >= sinceMs);
    const work = new Map(this.#options.work().map((each) => [`${each.kind}:${each.name}`, each]));
    for (const each of work.values()) units.complete(each);
    const shown: ReportUnit[] = [];
    const changed: ChangedBranch[] = [];
    for (const found of units.openIn(sinceMs, untilMs)) {
      const { unit } = found;
      const known = work.get(`${unit.kind}:${unit.name}`);
      const isRead = known !== undefined && query.branches === 'read';
      const held = isRead ? await readBranches(worktrees, known.owner) : NO_BRANCHES;
      const used = this.#used(unit, sinceMs, untilMs);
      const view = reportUnit(found, { ...held, used, epoch: log.epoch, titleOf });
      shown.push(view);
      changed.push(...changedBranches(view, held, known?.dependsOn ?? []));
      await yieldToEventLoop();
    }
    shown.sort(byState);
    const items = attention.list({ open: true, limit: MAX_ITEMS });
    const anomalies = [
      ...anomaliesOf(shown, usage.costs()),
      ...crashes.map((event) => daemonDown(event, log.epoch)),
      ...this.#logCut(sinceMs),
    ];
    return {
      as_of: toIso(nowMs),
      since: toIso(sinceMs),
      until: toIso(untilMs),
      needs: needsOf({ units: shown, items, dependents: dependentsOf([...work.values()]) }),
      units: shown,
      totals: { ...totalsOf(shown), used: usage.between(null, sinceMs, untilMs) },
      overlaps: overlapsOf(changed),
      merge_orders: mergeOrders(changed),
      anomalies,
    };
  }

  /** What headless work used is entered at the end of a turn, which may be after its own. */
  #used(unit: Unit, sinceMs: number, untilMs: number): ReportUnit['used'] {
    const { usage } = this.#options;
    const { timeline, kind, name, openedSeq } = unit;
    const isHeadless = kind === 'task' || kind === 'run';
    const fromMs = openedSeq === 0 ? 0 : timeline.openedMs;
    const toMs = isHeadless ? untilMs : Math.min(timeline.closedMs ?? untilMs, untilMs);
    // The ledger has the work of a session that respawn keeps going under the session.
    const subject: Subject = { kind: kind === 'respawn' ? 'session' : kind, id: name };
    return {
      interval: usage.between(subject, Math.max(fromMs, sinceMs), toMs),
      total: usage.between(subject, fromMs, toMs),
    };
  }

  #logCut(sinceMs: number): ReportAnomaly[] {
    const { log } = this.#options;
    const [oldest] = log.read(log.oldest - 1, 1);
    const at = oldest === undefined ? null : (JSON.parse(oldest.json) as EventRecord).at;
    // Seq 1 is the beginning of everything.
    if (at === null || log.oldest === 1 || Date.parse(at) <= sinceMs) return [];
    const text = `The log begins at ${at}: work that ended before is missing`;
    return [{ kind: 'log_cut', unit: null, text, link: null }];
  }
}

function daemonDown({ seq, at }: EventRecord, epoch: string): ReportAnomaly {
  const text = `A daemon started at ${at} after one that ended without notice`;
  return { kind: 'daemon_down', unit: null, text, link: `/events?event=${epoch}:${seq}` };
}

function changedBranches(
  { id: unit, name, outcome, proof, branches }: ReportUnit,
  { files }: Branches,
  dependsOn: readonly string[],
): ChangedBranch[] {
  const isCompleted = outcome === 'completed';
  const isProven = proof?.state === 'proven';
  return branches.map(({ repository, branch, base }, index) => {
    const about = { unit, name, dependsOn, isCompleted, isProven };
    return { repository, branch, base, ...about, files: files[index] ?? [] };
  });
}

function dependentsOf(work: readonly ReportedWork[]): Map<string, string[]> {
  const dependents = new Map<string, string[]>();
  for (const { name, dependsOn } of work) {
    for (const each of dependsOn) dependents.set(each, [...(dependents.get(each) ?? []), name]);
  }
  return dependents;
}

function totalsOf(units: readonly ReportUnit[]): Omit<Report['totals'], 'used'> {
  const seconds = noSeconds();
  for (const unit of units) {
    for (const share of Object.keys(seconds) as (keyof typeof seconds)[]) {
      seconds[share] += unit.seconds[share];
    }
  }
  const completed = units.filter(({ outcome }) => outcome === 'completed');
  const open = units.filter(({ state }) => state !== 'ended').length;
  return {
    completed: completed.length,
    proven: completed.filter(({ proof }) => proof?.state === 'proven').length,
    ended_otherwise: units.length - open - completed.length,
    open,
    seconds,
  };
}

/** What waits for a person, what is open, what has ended; the newest first. */
function byState(one: ReportUnit, other: ReportUnit): number {
  const rank = ({ state }: ReportUnit) => (state === 'waiting' ? 0 : state === 'ended' ? 2 : 1);
  const endMs = ({ closed_at, opened_at }: ReportUnit) => Date.parse(closed_at ?? opened_at);
  return rank(one) - rank(other) || endMs(other) - endMs(one) || one.id.localeCompare(other.id);
}
