/**
 * The circuit breaker: cycles that change nothing cost quota and a context each, so after some of
 * them it opens, and after its pause one cycle may try. A cycle is judged when the next one would
 * begin, by what changed since its `update`: the notes it asks for are no progress.
 */
import type { Breaker, Counts, PastCycle } from './respawn-state.ts';
import type { Step } from './step.ts';

/** These say nothing about what a cycle is good for. */
const NOT_JUDGED: readonly PastCycle['outcome'][] = ['cancelled', 'stopped', 'agent_gone'];

export function countsOf({ run: { signs } }: Pick<Step, 'run'>): Counts {
  const { tree, tokens } = signs;
  return {
    commits: tree?.commits ?? null,
    files: tree?.files ?? null,
    tokens: tokens?.count ?? null,
  };
}

/** Null where either count is unknown. A count that fell began again. */
export function changedSince(before: Counts, now: Counts): Counts {
  const grown = (from: number | null, to: number | null) =>
    from === null || to === null ? null : to < from ? to : to - from;
  return {
    commits: grown(before.commits, now.commits),
    files: grown(before.files, now.files),
    tokens: grown(before.tokens, now.tokens),
  };
}

/** The breaker if a cycle were to begin now; changes nothing. */
export function breakerNow(step: Step): Breaker {
  const { breaker, config, recent } = step.kept;
  const [last] = recent;
  if (breaker.status === 'open') {
    return breaker.untilMs > step.nowMs ? breaker : { status: 'half_open', misses: breaker.misses };
  }
  if (last === undefined || !isToJudge(step, last)) return breaker;
  if (NOT_JUDGED.includes(last.outcome)) return breaker;
  if (hasProgress(step, last)) return { status: 'closed', misses: 0 };
  const misses = breaker.misses + 1;
  const opens = breaker.status === 'half_open' || misses >= config.breaker_after_cycles;
  if (!opens) return { status: 'closed', misses };
  return { status: 'open', misses, untilMs: step.nowMs + config.breaker_cooldown_ms };
}

/** The decision is made: the last cycle is judged for good. */
export function judgeLastCycle(step: Step): void {
  const { kept } = step;
  kept.breaker = breakerNow(step);
  const [last, ...older] = kept.recent;
  if (last === undefined || !isToJudge(step, last)) return;
  const changed = changedSince(last.atStart, countsOf(step));
  kept.recent = [{ ...last, changed, progress: hasProgress(step, last) }, ...older];
}

/** Those of an earlier run are over. */
function isToJudge({ run }: Step, last: PastCycle): boolean {
  return last.progress === null && last.startedMs >= run.startedMs;
}

function hasProgress(step: Step, last: PastCycle): boolean {
  const { commits, files } = changedSince(last.afterUpdate ?? last.atStart, countsOf(step));
  // Without counts, visible work must do.
  if (commits === null || files === null) {
    return (step.run.signs.work?.atMs ?? -1) > last.startedMs;
  }
  return commits > 0 || files > 0;
}
