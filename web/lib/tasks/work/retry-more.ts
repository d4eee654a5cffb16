/** What a retry adds to the limits of a task. Pure. */
import type { EndCriteria } from '$shared/schema/tasks/end-criteria.ts';

export interface RetryMore {
  iterations: number | null;
  tokens: number | null;
  cost: number | null;
  minutes: number | null;
}

const MORE_ITERATIONS = 10;

/** Half of each limit that the task has. */
export function suggestMore(limits: EndCriteria): RetryMore {
  const half = (limit: number | null) =>
    limit === null ? null : Math.max(1, Math.round(limit / 2));
  return {
    iterations: MORE_ITERATIONS,
    tokens: half(limits.max_tokens),
    cost: half(limits.max_cost_usd),
    minutes: half(limits.max_minutes),
  };
}

export function retryQuery({
  iterations,
  tokens,
  cost,
  minutes,
}: RetryMore): Record<string, string> {
  return Object.fromEntries(
    Object.entries({
      additional_iterations: iterations,
      additional_tokens: tokens,
      additional_cost_usd: cost,
      additional_minutes: minutes,
    }).flatMap(([name, amount]) => (amount === null ? [] : [[name, String(amount)]])),
  );
}
