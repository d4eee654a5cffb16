/** Tasks and runs as units of work, from their events. Pure. */
import type { EventRecord } from '../../shared/schema/events/events.ts';
import type { ReportKind, ReportShare } from '../../shared/schema/usage/report.ts';
import type { RunStatus } from '../../shared/schema/runs/run-phase.ts';
import type { TaskStatus } from '../../shared/schema/tasks/task-status.ts';
import { runShare, taskShare } from './shares.ts';
import { addCheck, freshUnit, type Outcome, type Unit } from './unit.ts';

const OUTCOMES: Partial<Record<TaskStatus | RunStatus, Outcome>> = {
  COMPLETED: 'completed',
  FAILED: 'failed',
  STOPPED: 'stopped',
  EXHAUSTED: 'exhausted',
  done: 'completed',
  failed: 'failed',
  stopped: 'stopped',
};

/** Work that was already stored when the log began, as it is now. */
export type KnownWork = {
  name: string;
  createdAt: string;
  by: string | null;
  asked: string;
  project: string;
  branch: string | null;
} & ({ kind: 'task'; status: TaskStatus } | { kind: 'run'; status: RunStatus });

type Status = { status: TaskStatus | RunStatus; reason: Unit['reason']; error: string | null };

export class HeadlessUnits {
  readonly units: Unit[] = [];
  readonly #current = new Map<string, Unit>();

  add(event: EventRecord): void {
    const { seq, at, type, data } = event;
    const atMs = Date.parse(at);
    switch (type) {
      case 'task.created': {
        const { task, root_folder: project, branch_name: branch, author: by = null } = data;
        return this.#open('task', task, { openedSeq: seq, by, project, branch }, atMs);
      }
      case 'run.created': {
        const { run, title: asked, working_dir: project, branch, author: by = null } = data;
        return this.#open('run', run, { openedSeq: seq, by, asked, project, branch }, atMs);
      }
      case 'task.status': {
        const unit = this.#of('task', data.task, atMs, taskShare(data.before, null));
        return enter(unit, taskShare(data.status, data.reason), event, data);
      }
      case 'run.status': {
        const unit = this.#of('run', data.run, atMs, runShare(data.before, null));
        return enter(unit, runShare(data.status, data.reason), event, data);
      }
      case 'run.stopped':
        this.#of('run', data.run, atMs, 'working').endedBy = data.author ?? null;
        return;
      case 'task.tests':
        return check(this.#of('task', data.task, atMs, 'working'), data, seq);
      case 'run.check':
        return check(this.#of('run', data.run, atMs, 'working'), data, seq);
      case 'task.criteria':
        this.#of('task', data.task, atMs, 'working').isJudged =
          data.by === 'model' && data.accepted;
        return;
      case 'run.review':
        this.#of('run', data.run, atMs, 'working').isJudged = data.verdict === 'pass';
        return;
      case 'task.deleted':
        return this.#close('task', data.task, event);
      case 'run.deleted':
        return this.#close('run', data.run, event);
      default:
        return;
    }
  }

  /** Fills in what the log lacks. */
  complete(work: KnownWork): void {
    const { kind, name, createdAt, by, asked, project, branch } = work;
    let unit = this.#current.get(`${kind}:${name}`);
    if (unit === undefined) {
      unit = freshUnit({ kind, name, openedSeq: 0 });
      const share =
        work.kind === 'task' ? taskShare(work.status, null) : runShare(work.status, null);
      // It ended before the log began.
      if (share === null) return;
      unit.timeline.enter(Date.parse(createdAt), share);
      this.#current.set(`${kind}:${name}`, unit);
      this.units.push(unit);
    }
    Object.assign(unit, { asked, by: unit.by ?? by, project, branch: branch ?? unit.branch });
  }

  #open(
    kind: ReportKind,
    name: string,
    origin: Omit<Parameters<typeof freshUnit>[0], 'kind' | 'name'>,
    atMs: number,
  ): void {
    const unit = freshUnit({ kind, name, ...origin });
    unit.timeline.enter(atMs, 'queued');
    this.#current.set(`${kind}:${name}`, unit);
    this.units.push(unit);
  }

  /** `share`: until now, for one whose beginning is not in the log; null when it was over. */
  #of(kind: ReportKind, name: string, atMs: number, share: ReportShare | null): Unit {
    const known = this.#current.get(`${kind}:${name}`);
    if (known !== undefined) return known;
    const unit = freshUnit({ kind, name, openedSeq: 0 });
    if (share !== null) unit.timeline.enter(atMs, share);
    this.#current.set(`${kind}:${name}`, unit);
    this.units.push(unit);
    return unit;
  }

  #close(kind: ReportKind, name: string, { seq, at, data }: EventRecord): void {
    const unit = this.#current.get(`${kind}:${name}`);
    this.#current.delete(`${kind}:${name}`);
    if (unit === undefined || unit.timeline.share === null) return;
    const by = 'author' in data ? (data.author ?? null) : null;
    unit.timeline.enter(Date.parse(at), null);
    Object.assign(unit, { outcome: 'stopped', reason: null, endedBy: by, stateSeq: seq });
  }
}

function enter(
  unit: Unit,
  share: ReportShare | null,
  { seq, at, data: all }: EventRecord,
  { status, reason, error }: Status,
): void {
  if (share === 'recovering' && unit.timeline.share !== 'recovering') unit.restarts += 1;
  unit.timeline.enter(Date.parse(at), share);
  unit.waitsFor = status === 'stopping' ? 'stop' : null;
  unit.stateSeq = seq;
  unit.outcome = OUTCOMES[status] ?? null;
  unit.reason = reason;
  unit.error = error;
  const author = 'author' in all ? (all.author ?? null) : null;
  if (share !== null) unit.endedBy = null;
  else if (author !== null) unit.endedBy = author;
}

function check(
  unit: Unit,
  data: { name: string; status: string; commit: string | null },
  seq: number,
): void {
  const { name, status, commit } = data;
  if (status === 'passed' || status === 'failed' || status === 'skipped') {
    addCheck(unit, { name, status, commit }, seq);
  }
}
