/** One transition in progress, and what every rule does with it. */
import type { EventDraft } from '../../../shared/schema/events/events.ts';
import type { EvidenceWitness } from '../../../shared/schema/events/evidence.ts';
import type { Reason } from '../../../shared/schema/reasons.ts';
import type { RunPhase, RunStatus } from '../../../shared/schema/runs/run-phase.ts';
import type { StartRun } from '../../../shared/schema/runs/run-requests.ts';
import type { BudgetHold } from '../../budgets/budgeted-work.ts';
import type { QuotaReport } from '../../supervision/quota-gate.ts';
import type {
  MachineInput,
  Now,
  RunEffect,
  RunPolicy,
  RunState,
  RunTransition,
} from './run-state.ts';

export interface Step {
  readonly run: string;
  /** A copy that only this transition sees. */
  readonly state: RunState;
  readonly options: StartRun;
  readonly policy: RunPolicy;
  readonly wallMs: number;
  /** Id of a person's oldest waiting input. */
  pendingInput: string | null;
  readonly budget: BudgetHold | null;
  readonly turnId: string;
  plan: string | null;
  readonly inputs: RunTransition['inputs'];
  readonly events: EventDraft[];
  readonly effects: RunEffect[];
  readonly quota: QuotaReport[];
}

export type Input<Kind extends MachineInput['kind']> = Extract<MachineInput, { kind: Kind }>;

/** ISO 8601 in UTC. */
export function iso(wallMs: number): string {
  return new Date(wallMs).toISOString();
}

export function setInput(step: Step, id: string, state: RunTransition['inputs'][number]['state']) {
  step.inputs.push({ id, state });
  step.events.push({ type: 'run.input_delivered', data: { run: step.run, id, state } });
}

/** Its status as people see it. */
export function statusOf(now: Now): RunStatus {
  switch (now.stage) {
    case 'queued':
      return 'queued';
    case 'preparing':
    case 'talking':
    case 'checking':
    case 'merging':
      return 'running';
    case 'waiting':
      return 'waiting';
    case 'ending':
      // One that is done or failed is not stopped: it works until nothing of it runs.
      return isStopping(now) ? 'stopping' : 'running';
    case 'over':
      return now.result.status;
  }
}

/** Why it has this status; null while it works. */
export function reasonOf(now: Now): Reason | null {
  if (now.stage === 'waiting') return now.reason;
  return now.stage === 'over' || isStopping(now) ? now.result.reason : null;
}

export function errorOf(now: Now): string | null {
  return now.stage === 'over' || isStopping(now) ? now.result.error : null;
}

function isStopping(now: Now): now is Extract<Now, { stage: 'ending' }> {
  return now.stage === 'ending' && now.result.status === 'stopped';
}

const AT_WORK: readonly Now['stage'][] = ['preparing', 'talking', 'checking', 'merging'];

/** Whether it occupies a slot. */
export function isAtWork({ stage }: Now): boolean {
  return AT_WORK.includes(stage);
}

export function setPhase({ run, state, events, wallMs }: Step, phase: RunPhase): void {
  const before = state.phase;
  state.phase = phase;
  state.phaseSince = iso(wallMs);
  events.push({ type: 'run.phase', data: { run, phase, before, iteration: state.iteration } });
}

/** Waits for a person, a reset or a pause; `dueMs` is wall time, null when only a person ends it. */
export function pause(
  { state, wallMs }: Step,
  reason: Reason,
  dueMs: number | null,
  witness: EvidenceWitness,
  detail: string,
): void {
  const lines = detail
    .split('\n')
    .filter(Boolean)
    .slice(0, 5)
    .map((line) => line.slice(0, 300));
  state.now = { stage: 'waiting', reason, sinceMs: wallMs, dueMs, witness, lines };
}

/** Puts the run at the end of the queue, or first when a person waits for it. */
export function queue({ state, wallMs }: Step, isUrgent: boolean): void {
  state.now = { stage: 'queued', sinceMs: wallMs, isUrgent };
}

/** It waits for a budget or for what is kept for people. */
export function isHeldBack(now: Now): boolean {
  return now.stage === 'waiting' && (now.reason === 'budget' || now.reason === 'reserve');
}

/**
 * Waits for its budget or what is kept for people: for a person or a time, or in the queue for
 * others to be done.
 */
export function holdForBudget(step: Step, { reason, kind, text, untilMs }: BudgetHold): void {
  if (kind === 'shared') return queue(step, false);
  // Whether the window is open again is tried by one first; the others follow at a distance.
  if (reason === 'reserve') step.state.isLimited = true;
  pause(step, reason, untilMs, 'daemon', text);
}

/** Also a wait until a known time ends, because more may be allowed now. */
export function onBudgetChanged(step: Step): void {
  const { now } = step.state;
  const { budget } = step;
  if (now.stage !== 'waiting' || !isHeldBack(now)) return;
  if (budget?.kind !== 'spent') return queue(step, false);
  const isSame = budget.reason === now.reason && budget.untilMs === now.dueMs;
  if (!isSame) holdForBudget(step, budget);
}
