/** The limits of a task: as its machine reads them, and after a retry. Pure. */
import type { EndCriteria } from '../../../shared/schema/tasks/end-criteria.ts';
import type { RetryQuery } from '../../../shared/schema/tasks/task.ts';
import type { Rules } from '../machine/task-state.ts';

export type Limits = Pick<
  EndCriteria,
  'max_iterations' | 'max_tokens' | 'max_cost_usd' | 'max_minutes'
>;

/** What a task has used since it began, over all its conversations. */
export interface TaskUsage {
  iterations: number;
  /** Output tokens. */
  tokens: number;
  cost_usd: number;
  /** At work; waits for a quota do not count. */
  active_seconds: number;
}

/** What a person adds; omitted limits stay unchanged. */
export type Additional = Partial<RetryQuery>;

/**
 * New limits, counted from what was used. Only what is added changes: another limit that is reached
 * stays reached.
 */
export function retried(limits: Limits, used: TaskUsage, more: Additional): Limits {
  const { additional_iterations: iterations, additional_tokens: tokens } = more;
  const { additional_cost_usd: cost, additional_minutes: minutes } = more;
  return {
    max_iterations: iterations === undefined ? limits.max_iterations : used.iterations + iterations,
    max_tokens: tokens === undefined ? limits.max_tokens : used.tokens + tokens,
    max_cost_usd: cost === undefined ? limits.max_cost_usd : toMicros(used.cost_usd + cost),
    max_minutes:
      minutes === undefined ? limits.max_minutes : Math.ceil(used.active_seconds / 60) + minutes,
  };
}

/** Millionths of a dollar: anything below comes from adding fractions. */
function toMicros(dollars: number): number {
  return Math.round(dollars * 1e6) / 1e6;
}

/** The criteria of a task in the form its machine reads. */
export function rulesOf(criteria: EndCriteria): Rules {
  const limits = {
    iterations: criteria.max_iterations,
    tokens: criteria.max_tokens,
    costUsd: criteria.max_cost_usd,
    minutes: criteria.max_minutes,
  };
  const noProgressTurns = criteria.max_unchanged_turns ?? null;
  return { limits, noProgressTurns, hasCriteria: criteria.criteria !== null };
}
