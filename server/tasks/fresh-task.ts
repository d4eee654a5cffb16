import type { EndCriteria } from '../../shared/tasks/task.ts';
import type { Limits, TaskState } from './machine/task-state.ts';

/** Takes what ends a task; gives the state of one that nobody has started. */
export function freshTask(criteria: EndCriteria): TaskState {
  return {
    ...{ status: 'PENDING', reason: null, stage: 'none', wait: null, queuedAtMs: null },
    ...{ isUrgent: false, isLimited: false, dueMs: null, hasCriteria: criteria.criteria !== null },
    limits: limitsOf(criteria),
    ...{ iterations: 0, outputTokens: 0, costUsd: 0, activeMs: 0, sessionId: null },
    ...{ isBriefed: false, turns: 0, turn: null, said: null, failures: 0, lostSessions: 0 },
    next: { kind: 'start', inputId: null, text: null },
    ...{ claim: null, completion: null, error: null, summary: null },
    ...{ startedAt: null, completedAt: null },
  };
}

/** Takes what ends a task; gives its limits as the machine knows them. */
export function limitsOf(criteria: EndCriteria): Limits {
  return {
    iterations: criteria.max_iterations,
    tokens: criteria.max_tokens,
    costUsd: criteria.max_cost_usd,
    minutes: criteria.max_minutes,
  };
}
