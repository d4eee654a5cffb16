/** The current numbers of a loop, and their texts. */
import type { PastLoop, LoopSeconds } from '$shared/schema/loops/past-loop.ts';

/** `moreSeconds` have passed since the loop was read. */
export function secondsNow(run: PastLoop, moreSeconds: number): LoopSeconds {
  const share = run.current_share;
  if (share === null) return run.seconds;
  return { ...run.seconds, [share]: run.seconds[share] + Math.max(0, moreSeconds) };
}

/** Iterations, and restarts and recoveries if there were any. */
export function loopCounts(
  run: Pick<PastLoop, 'iterations' | 'restart_count' | 'recovery_count'>,
): string {
  const { iterations, restart_count: restarts, recovery_count: recoveries } = run;
  return [
    counted(iterations, 'iteration'),
    restarts > 0 ? counted(restarts, 'restart') : '',
    recoveries === 0 ? '' : `${recoveries} ${recoveries === 1 ? 'recovery' : 'recoveries'}`,
  ]
    .filter((text) => text !== '')
    .join(', ');
}

function counted(count: number, word: string): string {
  return `${count} ${word}${count === 1 ? '' : 's'}`;
}
