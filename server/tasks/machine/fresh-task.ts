import { NEW_CONTEXT } from '../../supervision/context-step.ts';
import { NOTHING, type TaskState } from './task-state.ts';

/** The state of a task that was never started. */
export function freshTask(): Extract<TaskState, { stage: 'none' }> {
  return {
    ...NOTHING,
    stage: 'none',
    status: 'PENDING',
    reason: null,
    isUrgent: false,
    isLimited: false,
    iterations: 0,
    outputTokens: 0,
    costUsd: 0,
    activeMs: 0,
    conversationId: null,
    context: NEW_CONTEXT,
    isBriefed: false,
    turns: 0,
    turn: null,
    said: null,
    isUnjudged: false,
    failures: 0,
    lostConversations: 0,
    next: { kind: 'start', inputId: null, text: null },
    progress: null,
    claim: null,
    unmet: null,
    completion: null,
    error: null,
    summary: null,
    startedAt: null,
    completedAt: null,
    claims: null,
  };
}
