/** A unit of work as the log describes it. */
import type { AgentKind } from '../../shared/schema/agents/agent-kind.ts';
import type { RespawnBlock } from '../../shared/rules/respawn/respawn-names.ts';
import type { WaitsFor } from '../../shared/schema/loops/past-loop.ts';
import type { Reason } from '../../shared/schema/reasons.ts';
import type { ReportKind, ReportProof, ReportUnit } from '../../shared/schema/usage/report.ts';
import { Timeline } from './timeline.ts';

export type Outcome = NonNullable<ReportUnit['outcome']>;

export interface Unit {
  readonly kind: ReportKind;
  readonly name: string;
  readonly timeline: Timeline;
  /** Seq of the event that opened it; 0 when that is no longer in the log. */
  readonly openedSeq: number;
  by: string | null;
  asked: string | null;
  project: string | null;
  branch: string | null;
  /** The agent of a loop. */
  agent: AgentKind | null;
  /** What it waits for, where that is no person. */
  waitsFor: 'start' | 'stop' | null;
  /** Of the event that led to its state. */
  stateSeq: number;
  outcome: Outcome | null;
  reason: Reason | RespawnBlock | null;
  error: string | null;
  /** Who ended it, where it was a person. */
  endedBy: string | null;
  /** A model said that it is done. */
  isJudged: boolean;
  proof: ReportProof | null;
  proofSeq: number;
  restarts: number;
}

type Origin = Pick<Unit, 'kind' | 'name' | 'openedSeq'> &
  Partial<Pick<Unit, 'by' | 'asked' | 'project' | 'branch'>>;

export function freshUnit(origin: Origin): Unit {
  return {
    by: null,
    asked: null,
    project: null,
    branch: null,
    agent: null,
    ...origin,
    timeline: new Timeline(),
    waitsFor: null,
    stateSeq: origin.openedSeq,
    outcome: null,
    reason: null,
    error: null,
    endedBy: null,
    isJudged: false,
    proof: null,
    proofSeq: 0,
    restarts: 0,
  };
}

/** A person, where nothing else ends the wait. */
export function waitsFor({ timeline, waitsFor: own }: Unit): WaitsFor | null {
  return own ?? (timeline.share === 'waiting' ? 'person' : null);
}

export function unitId({ kind, name, openedSeq }: Unit): string {
  return `${kind}:${name}@${openedSeq}`;
}

/** Adds the result of one check; earlier ones of another commit no longer count. */
export function addCheck(
  unit: Unit,
  check: { name: string; status: 'passed' | 'failed' | 'skipped'; commit: string | null },
  seq: number,
): void {
  const { name, status, commit } = check;
  const known = unit.proof?.commit === commit ? unit.proof.checks : [];
  const checks = [...known.filter((each) => each.name !== name), { name, status }];
  unit.proof = { commit, checks, state: proofOf(checks) };
  unit.proofSeq = seq;
}

function proofOf(checks: ReportProof['checks']): ReportProof['state'] {
  if (checks.some(({ status }) => status === 'failed')) return 'refuted';
  return checks.some(({ status }) => status === 'passed') ? 'proven' : 'unproven';
}
