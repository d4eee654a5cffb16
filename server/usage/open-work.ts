/** What open tasks will still take of a window of the plan, by what completed ones cost. Pure. */

/** Tasks that are not over, and those that completed; costs in millionths of a dollar. */
export interface TaskCosts {
  /** What each open task cost so far. */
  open: readonly number[];
  /** What each cost until its end, the latest last. */
  completed: readonly number[];
  /** Loops, runs or respawn are at work too: how much they will take is unknown. */
  hasUnsized: boolean;
}

/** In percent of the window. */
export interface OpenWork {
  least: number;
  likely: number;
  most: number;
  /** Completed tasks that the sizes are learned from. */
  learnedFrom: number;
}

/** With fewer, no size is claimed. */
const ENOUGH = 5;
/** Older ones were different work. */
const LATEST = 50;

/**
 * `burned`: percent of the window, and the cost of the same time in millionths of a dollar. Null
 * where too little is known. Every task is taken to be as small, or as large, at once: the sum of
 * many varies less.
 */
export function openWork(
  { open, completed }: TaskCosts,
  burned: { percent: number; costMicros: number },
): OpenWork | null {
  const sizes = completed
    .slice(-LATEST)
    .filter((cost) => cost > 0)
    .sort((one, other) => one - other);
  if (sizes.length < ENOUGH || burned.percent <= 0 || burned.costMicros <= 0) return null;
  const percentOf = (share: number) => {
    const size = sizes[Math.round(share * (sizes.length - 1))] ?? 0;
    const left = open.reduce((sum, spent) => sum + Math.max(0, size - spent), 0);
    return (left * burned.percent) / burned.costMicros;
  };
  return {
    least: percentOf(0.1),
    likely: percentOf(0.5),
    most: percentOf(0.9),
    learnedFrom: sizes.length,
  };
}
