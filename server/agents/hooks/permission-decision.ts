import type { AgentRequest, AttentionAnswer } from '../../../shared/schema/attention/attention.ts';

/** What the client reads from a hook of the event PermissionRequest. */
export interface PermissionDecision {
  hookSpecificOutput: {
    hookEventName: 'PermissionRequest';
    decision:
      | { behavior: 'allow'; updatedInput: Record<string, unknown> }
      | { behavior: 'deny'; message: string };
  };
}

/** The agent's message when a denial has no reason. */
const DENIED = 'Denied by the user.';

/**
 * The output of the hook. `answer` was checked against `request`. Several labels for one question
 * become one text separated by ", ": the client accepts only text.
 */
export function decisionFor(request: AgentRequest, answer: AttentionAnswer): PermissionDecision {
  return {
    hookSpecificOutput: {
      hookEventName: 'PermissionRequest',
      decision:
        answer.decision === 'deny'
          ? { behavior: 'deny', message: answer.message ?? DENIED }
          : { behavior: 'allow', updatedInput: updatedInput(request, answer) },
    },
  };
}

function updatedInput(request: AgentRequest, answer: AttentionAnswer): Record<string, unknown> {
  const input = answer.input ?? request.input;
  if (answer.answers === undefined) return input;
  const answers = Object.fromEntries(
    Object.entries(answer.answers).map(([question, chosen]) => [
      question,
      Array.isArray(chosen) ? chosen.join(', ') : chosen,
    ]),
  );
  return { ...input, answers };
}
