/** A unit of work as the report and the history show it. Pure. */
import type { ReportUnit, WorkUnit } from '../../shared/schema/usage/report.ts';
import type { Branches } from './read-branches.ts';
import { type Unit, unitId, waitsFor } from './unit.ts';
import type { UnitInInterval } from './units.ts';
import { whoseWord } from './whose-word.ts';

const MAX_ASKED = 500;

export interface WorkAround {
  /** Names an event for good: `epoch:seq`. */
  epoch: string;
  /** What a loop was asked: the title of its task module. */
  titleOf: (directory: string) => string | null;
}

export interface UnitAround extends WorkAround, Branches {
  used: ReportUnit['used'];
}

export function workUnit({ unit, seconds }: UnitInInterval, around: WorkAround): WorkUnit {
  const { kind, name, timeline, openedSeq, by, project, outcome, reason, error } = unit;
  const { epoch, titleOf } = around;
  const isOver = timeline.closedMs !== null;
  const word = isOver ? whoseWord(unit) : null;
  const asked = unit.asked ?? (kind === 'loop' && project !== null ? titleOf(project) : null);
  const eventLink = (seq: number) => (seq === 0 ? null : `/events?event=${epoch}:${seq}`);
  return {
    id: unitId(unit),
    kind,
    name,
    asked: asked === null ? null : asked.slice(0, MAX_ASKED),
    project,
    by,
    opened_at: iso(timeline.openedMs),
    closed_at: timeline.closedMs === null ? null : iso(timeline.closedMs),
    complete: openedSeq !== 0,
    state: timeline.share ?? 'ended',
    waits_for: isOver ? null : waitsFor(unit),
    outcome: isOver ? outcome : null,
    reason,
    error,
    word,
    word_by: word === 'person' ? unit.endedBy : null,
    proof: unit.proof,
    seconds,
    restarts: unit.restarts,
    links: {
      itself: pageOf(unit),
      opened: eventLink(openedSeq),
      state: eventLink(unit.stateSeq),
      proof: eventLink(unit.proofSeq),
    },
  };
}

export function reportUnit(found: UnitInInterval, around: UnitAround): ReportUnit {
  const { branches, error: branches_error, used } = around;
  const { kind, project } = found.unit;
  const work = workUnit(found, around);
  const hasPart = kind === 'task' || kind === 'run';
  return {
    ...work,
    branches,
    branches_error,
    used,
    links: {
      ...work.links,
      branches: hasPart && branches.length > 0 ? `${work.links.itself ?? ''}?part=diff` : null,
      used: project === null ? '/usage' : `/usage?project=${encodeURIComponent(project)}`,
    },
  };
}

function pageOf({ kind, name }: Unit): string | null {
  const id = encodeURIComponent(name);
  if (kind === 'task' || kind === 'run') return `/${kind}s/${id}`;
  return kind === 'found' ? `/found/${id}` : `/sessions/${id}`;
}

function iso(atMs: number): string {
  return new Date(atMs).toISOString();
}
