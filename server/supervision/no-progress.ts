/**
 * When supervised work makes no progress: round after round leaves the repository as it was and
 * calls no tool in a way it had not been called before. Pure; the same for every supervisor.
 */

/** What one round left behind. */
export interface RoundTrace {
  /** Stands for HEAD, index and files of every worktree; equal only for equal content. */
  content: string;
  /** One short digest for each tool call of the round, of its name and arguments. */
  calls: readonly string[];
}

export interface Progress {
  content: string;
  /** Calls since the content last changed, newest last. */
  calls: readonly string[];
  /** Rounds in a row that brought nothing new. */
  unchanged: number;
}

/** Calls that are remembered; a forgotten one counts as new. */
const MAX_CALLS = 500;

/**
 * The progress after one more round. The first round is what later ones are compared with. A round
 * whose trace is unknown (null) neither counts nor resets the count.
 */
export function afterRound(before: Progress | null, trace: RoundTrace | null): Progress | null {
  if (trace === null) return before;
  const { content, calls } = trace;
  if (before === null || before.content !== content) {
    return { content, calls: remembered([], calls), unchanged: 0 };
  }
  const isNew = calls.some((call) => !before.calls.includes(call));
  const unchanged = isNew ? 0 : before.unchanged + 1;
  return { content, calls: remembered(before.calls, calls), unchanged };
}

/** Whether a person must look. `limit` is a number of rounds; 0 is never. */
export function isWithoutProgress(progress: Progress | null, limit: number): boolean {
  return limit > 0 && progress !== null && progress.unchanged >= limit;
}

function remembered(before: readonly string[], calls: readonly string[]): string[] {
  return [...new Set([...before, ...calls])].slice(-MAX_CALLS);
}
