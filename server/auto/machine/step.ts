/** One transition in progress, and what every rule does with it. */
import type { EventDraft } from '../../../shared/schema/events/events.ts';
import type { Evidence, EvidenceWitness } from '../../../shared/schema/events/evidence.ts';
import type { ObservationInput, LoopInput } from './loop-input.ts';
import {
  type LoopEffect,
  type LoopPolicy,
  type LoopState,
  NOTHING,
  type Now,
} from './loop-state.ts';
import { evidenceOf } from '../../supervision/evidence-of.ts';
import type { BudgetHold } from '../../budgets/budgeted-work.ts';
import type { QuotaReport } from '../../supervision/quota-gate.ts';
import type { AgentState } from '../../../shared/schema/agents/agent-state.ts';

export interface Step {
  /** A copy that only this transition sees. */
  readonly state: LoopState;
  readonly policy: LoopPolicy;
  readonly wallMs: number;
  /** Why no step of the agent may begin now. */
  readonly budget: BudgetHold | null;
  /** Null when the input is no observation. */
  readonly observation: ObservationInput | null;
  ended: boolean;
  readonly events: EventDraft[];
  readonly effects: LoopEffect[];
  readonly quota: QuotaReport[];
}

export type Input<Kind extends LoopInput['kind']> = Extract<LoopInput, { kind: Kind }>;

/** Without `retrying`: a request that fails repeatedly makes no progress. */
const AT_WORK: readonly AgentState['state'][] = ['working', 'compacting', 'background'];

/** Adds an event of the loop's session. */
export function emit(step: Step, draft: EventDraft): void {
  step.events.push({ ...draft, session: step.state.sessionName });
}

/** Replaces all that the state before had of its own. */
export function enter(state: LoopState, now: Now): void {
  Object.assign(state, now);
}

/** The agent is at work: any wait is over. */
export function enterRunning(state: LoopState): void {
  enter(state, { ...NOTHING, status: 'running' });
}

/** What was started is there, seen by its process or by its first signal. */
export function startSucceeded(step: Step): void {
  const { restartCount, launchCount } = step.state;
  enterRunning(step.state);
  if (launchCount > 1)
    emit(step, { type: 'auto.restarted', data: { restart_count: restartCount } });
}

export function evidenceFrom(step: Step, witness: EvidenceWitness, ...lines: string[]): Evidence {
  return evidenceOf(witness, step.wallMs, lines);
}

/** ISO 8601 in UTC. */
export function iso(wallMs: number): string {
  return new Date(wallMs).toISOString();
}

/** The agent makes progress. */
export function isAtWork({ state }: AgentState): boolean {
  return AT_WORK.includes(state);
}
