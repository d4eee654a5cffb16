import type { EndCriteria } from '../../shared/tasks/task.ts';
import type { Rules, TaskState } from './machine/task-state.ts';

/** Gives the state of a task that nobody has started. */
export function freshTask(): TaskState {
  return {
    status: 'PENDING',
    reason: null,
    stage: 'none',
    wait: null,
    queuedAtMs: null,
    isUrgent: false,
    isLimited: false,
    dueMs: null,
    iterations: 0,
    outputTokens: 0,
    costUsd: 0,
    activeMs: 0,
    sessionId: null,
    isBriefed: false,
    turns: 0,
    turn: null,
    said: null,
    failures: 0,
    lostSessions: 0,
    next: { kind: 'start', inputId: null, text: null },
    claim: null,
    completion: null,
    error: null,
    summary: null,
    startedAt: null,
    completedAt: null,
  };
}

/** Takes what ends a task; gives it as the machine reads it. */
export function rulesOf(criteria: EndCriteria): Rules {
  const limits = {
    iterations: criteria.max_iterations,
    tokens: criteria.max_tokens,
    costUsd: criteria.max_cost_usd,
    minutes: criteria.max_minutes,
  };
  return { limits, hasCriteria: criteria.criteria !== null };
}
