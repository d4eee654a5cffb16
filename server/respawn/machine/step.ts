/** One transition in the making, and what every rule does with it. */
import { MAX_ACTIONS } from '../../../shared/rules/respawn/respawn-keys.ts';
import type { EventDraft } from '../../../shared/schema/events/events.ts';
import type { Evidence, EvidenceWitness } from '../../../shared/schema/events/evidence.ts';
import type { QuotaReport } from '../../supervision/quota-gate.ts';
import { evidenceOf } from '../../supervision/evidence-of.ts';
import type {
  Kept,
  RespawnEffect,
  UnstampedInput,
  RespawnInput,
  Run,
  Stopped,
  Visit,
} from './respawn-state.ts';

export interface Step {
  /** Copies that only this transition sees. */
  readonly kept: Kept;
  /** Dropped when the visit is that of `stopped`. */
  readonly run: Run;
  visit: Visit | Stopped;
  /** The machine's clock, and the supervisor's. */
  readonly nowMs: number;
  readonly clockMs: number;
  readonly wallMs: number;
  /** The person behind it; null when there is none. */
  readonly author: string | null;
  /** What led to the next transition. */
  why: Evidence[];
  readonly events: EventDraft[];
  readonly effects: RespawnEffect[];
  readonly quota: QuotaReport[];
}

export type Input<Kind extends UnstampedInput['kind']> = Extract<RespawnInput, { kind: Kind }>;

export function emit(step: Step, draft: EventDraft): void {
  step.events.push({ ...draft, session: step.kept.session });
}

/** For the data of an event. */
export function authorOf({ author }: Pick<Step, 'author'>): { author?: string } {
  return author === null ? {} : { author };
}

export function witnessed(step: Step, witness: EvidenceWitness, ...lines: string[]): Evidence {
  return evidenceOf(witness, step.wallMs, lines);
}

/** ISO 8601 of a time on the machine's clock, as long as the clock runs on. */
export function at(step: Pick<Step, 'nowMs' | 'wallMs'>, ms: number): string {
  return new Date(step.wallMs + ms - step.nowMs).toISOString();
}

export function note(step: Step, action: string, detail: string): void {
  const { kept, wallMs } = step;
  const entry = { at: new Date(wallMs).toISOString(), action, detail: detail.slice(0, 300) };
  kept.actions = [entry, ...kept.actions].slice(0, MAX_ACTIONS);
}
