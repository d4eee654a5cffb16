import { WORK_PHASES } from '../../../shared/rules/work/run-phases.ts';
import type { WorkPhase } from '../../../shared/schema/runs/run-phase.ts';
import type { RunState, Spend } from './run-state.ts';

export const OPEN = { kind: 'open', inputId: null } as const;

/** The state of a run that waits for its first slot; `wallMs` is when it was created. */
export function freshRun(wallMs: number): RunState {
  return {
    phase: 'plan',
    phaseSince: new Date(wallMs).toISOString(),
    iteration: 0,
    now: { stage: 'queued', sinceMs: wallMs, isUrgent: false },
    next: OPEN,
    conversations: perPhase(() => null),
    spent: perPhase(nothingSpent),
    activeMs: 0,
    turns: [],
    isLimited: false,
    failures: 0,
    lostConversations: 0,
    hasPlan: false,
    rounds: [],
    changes: null,
    signatures: [],
    unchangedRounds: 0,
    forgiven: { rounds: 0, signatures: 0 },
    nonce: '',
    proof: null,
    stopReason: null,
    hasReport: false,
    mergedInto: null,
    startedAt: new Date(wallMs).toISOString(),
    completedAt: null,
  };
}

export function perPhase<Value>(value: (phase: WorkPhase) => Value): Record<WorkPhase, Value> {
  return Object.fromEntries(WORK_PHASES.map((phase) => [phase, value(phase)])) as Record<
    WorkPhase,
    Value
  >;
}

function nothingSpent(): Spend {
  return { activeMs: 0, inputTokens: 0, outputTokens: 0, costUsd: 0, turns: 0 };
}
