/** Auto loops as units of work, from their events: each loop of a session is one. Pure. */
import { isOfLoop, LoopHistory } from '../../shared/rules/loops/loop-history.ts';
import type { EventRecord } from '../../shared/schema/events/events.ts';
import type { PastLoop } from '../../shared/schema/loops/past-loop.ts';
import type { ReportShare } from '../../shared/schema/usage/report.ts';
import { attentionFor } from '../attention/attention-for.ts';
import { addCheck, freshUnit, type Outcome, type Unit } from './unit.ts';

const OUTCOMES: Partial<Record<NonNullable<PastLoop['reason']>, Outcome>> = {
  completed: 'completed',
  timeout: 'exhausted',
  max_iterations: 'exhausted',
  budget: 'exhausted',
};

interface Latest {
  history: LoopHistory;
  before: number;
  unit: Unit | null;
}

export class LoopUnits {
  readonly units: Unit[] = [];
  readonly #sessions = new Map<string, Latest>();

  add(event: EventRecord): void {
    const { session, seq, type } = event;
    if (session === undefined || !isOfLoop(type)) return;
    const atMs = Date.parse(event.at);
    let known = this.#sessions.get(session);
    if (known === undefined) {
      known = { history: new LoopHistory(session), before: -1, unit: null };
      this.#sessions.set(session, known);
    }
    known.history.add(event);
    const latest = known.history.latest(atMs);
    if (latest === null) return;
    const { before, run } = latest;
    if (before !== known.before || known.unit === null) {
      // One without a recorded end was over when this one started.
      known.unit?.timeline.enter(atMs, null);
      const openedSeq = run.complete ? seq : 0;
      known.unit = freshUnit({ kind: 'loop', name: session, openedSeq });
      known.before = before;
      // One that came with another database began before this event.
      if (type === 'auto.started' && event.data.adopted !== undefined)
        known.unit.timeline.enter(Date.parse(event.data.adopted.started_at), 'working');
      known.unit.timeline.enter(atMs, shareOf(run) ?? 'working');
      this.units.push(known.unit);
    }
    observe(known.unit, event, run);
  }

  /** A loop that works in the session now. */
  isOpen(session: string): boolean {
    return this.#sessions.get(session)?.unit?.timeline.closedMs === null;
  }
}

/** A loop that starts or stops waits for no one. */
function shareOf({ waits_for: waitsFor, current_share: share }: PastLoop): ReportShare | null {
  if (waitsFor === 'start') return 'queued';
  return waitsFor === 'stop' ? 'stopped' : share;
}

function observe(unit: Unit, event: EventRecord, run: PastLoop): void {
  const { seq, type, data } = event;
  const isOver = unit.timeline.closedMs !== null;
  // What happens in its session after its end is not its own.
  if (isOver) return;
  const before = unit.timeline.share;
  unit.timeline.enter(Date.parse(event.at), shareOf(run));
  unit.restarts = run.restart_count;
  unit.project = run.task_dir ?? unit.project;
  unit.agent = run.agent ?? unit.agent;
  unit.waitsFor = run.waits_for === 'person' ? null : run.waits_for;
  if (unit.timeline.share !== before) unit.stateSeq = seq;
  switch (type) {
    case 'auto.started':
      unit.by = data.author ?? null;
      return;
    case 'auto.quota_entered':
      unit.reason = 'quota';
      return;
    case 'auto.stall_suspected':
      unit.reason = 'stalled';
      return;
    case 'auto.restart_scheduled':
      unit.reason = data.reason;
      return;
    case 'auto.stop_requested':
      unit.endedBy = data.by === 'person' ? (data.author ?? null) : null;
      unit.reason = data.reason;
      return;
    case 'auto.checked':
      unit.proof = null;
      for (const { command: name, status } of data.checks) {
        const check = { name, status: status === 'no_tests' ? 'skipped' : status } as const;
        addCheck(unit, { ...check, commit: data.commit }, seq);
      }
      return;
    case 'auto.ended':
    case 'auto.failed':
      unit.outcome = OUTCOMES[data.reason] ?? (type === 'auto.failed' ? 'failed' : 'stopped');
      unit.reason = data.reason;
      unit.error = data.error;
      unit.stateSeq = seq;
      return;
    case 'session.agent_changed': {
      const need = attentionFor(data.agent);
      if (need !== null) unit.reason = need.reason;
      else if (unit.timeline.share === 'working') unit.reason = null;
      return;
    }
    default:
      if (unit.timeline.share === 'working') unit.reason = null;
  }
}
