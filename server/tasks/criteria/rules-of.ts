import type { EndCriteria } from '../../../shared/schema/tasks/end-criteria.ts';
import type { Rules } from '../machine/task-state.ts';

/** The criteria of a task in the form its machine reads. */
export function rulesOf(criteria: EndCriteria): Rules {
  const limits = {
    iterations: criteria.max_iterations,
    tokens: criteria.max_tokens,
    costUsd: criteria.max_cost_usd,
    minutes: criteria.max_minutes,
  };
  return { limits, hasCriteria: criteria.criteria !== null };
}
