/** What a run of a loop comes to at this moment, in numbers and words. */
import type { PastLoop, LoopSeconds } from '$shared/schema/loops/past-loop.ts';

/** Takes a run and what has passed since it was read; gives where its time went until now. */
export function secondsNow(run: PastLoop, moreSeconds: number): LoopSeconds {
  const share = run.current_share;
  if (share === null) return run.seconds;
  return { ...run.seconds, [share]: run.seconds[share] + Math.max(0, moreSeconds) };
}

/** Takes a run; gives its iterations, and restarts and recoveries where it had any. */
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

/** Takes a number and a word; gives both, the word in the plural unless there is one. */
function counted(count: number, word: string): string {
  return `${count} ${word}${count === 1 ? '' : 's'}`;
}
