/** One transition in progress, and what every rule does with it. */
import type { EventData, EventDraft } from '../../../shared/schema/events/events.ts';
import type { EvidenceWitness } from '../../../shared/schema/events/evidence.ts';
import type { Reason } from '../../../shared/schema/reasons.ts';
import type { BudgetHold } from '../../budgets/budgeted-work.ts';
import type { QuotaReport } from '../../supervision/quota-gate.ts';
import {
  NOTHING,
  type Now,
  type Rules,
  type TaskEffect,
  type TaskInput,
  type TaskPolicy,
  type TaskState,
  type TaskTransition,
} from './task-state.ts';

export interface Step {
  readonly task: string;
  /** A copy that only this transition sees. */
  readonly state: TaskState;
  readonly policy: TaskPolicy;
  readonly rules: Rules;
  readonly wallMs: number;
  /** Id of a person's oldest waiting input. */
  pendingInput: string | null;
  readonly budget: BudgetHold | null;
  readonly turnId: string;
  /** The person who requested it, if any. */
  readonly author: string | null;
  readonly inputs: TaskTransition['inputs'];
  readonly events: EventDraft[];
  readonly effects: TaskEffect[];
  readonly quota: QuotaReport[];
}

export type Input<Kind extends TaskInput['kind']> = Extract<TaskInput, { kind: Kind }>;

/** ISO 8601 in UTC. */
export function iso(wallMs: number): string {
  return new Date(wallMs).toISOString();
}

export function setInput(step: Step, id: string, state: TaskTransition['inputs'][number]['state']) {
  step.inputs.push({ id, state });
  step.events.push({ type: 'task.input_delivered', data: { task: step.task, id, state } });
}

export function reportVerdict(step: Step, verdict: Omit<EventData<'task.criteria'>, 'task'>): void {
  step.events.push({ type: 'task.criteria', data: { task: step.task, ...verdict } });
}

/** Replaces all that the stage before had of its own. */
export function enter(state: TaskState, now: Now): void {
  Object.assign(state, now);
}

/** Waits for a person, a reset or a pause; `dueMs` is wall time, null when only a person can end it. */
export function pause(
  step: Step,
  reason: Reason,
  dueMs: number | null,
  witness: EvidenceWitness,
  detail: string,
): void {
  const { state, wallMs } = step;
  state.reason = reason;
  const lines = detail.split('\n').filter(Boolean).slice(0, 5);
  const wait = {
    reason,
    since: iso(wallMs),
    until: dueMs === null ? null : iso(dueMs),
    evidence: [{ witness, at: iso(wallMs), lines: lines.map((line) => line.slice(0, 300)) }],
  };
  enter(state, { ...NOTHING, stage: 'waiting', status: 'PAUSED', wait, dueMs });
}

/** Puts the task at the end of the queue, or first when a person waits for it. */
export function queue(step: Step, isUrgent: boolean): void {
  const { state, wallMs } = step;
  // A paused task stays PAUSED while queued; a finished one is pending again.
  const status = state.status === 'PAUSED' ? 'PAUSED' : 'PENDING';
  enter(state, { ...NOTHING, stage: 'queued', status, queuedAtMs: wallMs });
  state.isUrgent = isUrgent;
  state.reason = null;
  state.error = null;
}

/** It waits for a budget or for what is kept for people. */
export function isHeldBack({ reason }: Pick<TaskState, 'reason'>): boolean {
  return reason === 'budget' || reason === 'reserve';
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
