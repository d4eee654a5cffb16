import type { HistoryUnit } from '$shared/schema/events/history.ts';
import type { ReportSeconds } from '$shared/schema/usage/report.ts';

/** Its seconds when it has stayed in its state for some more. */
export function secondsUpTo(
  { state, seconds }: Pick<HistoryUnit, 'state' | 'seconds'>,
  more: number,
): ReportSeconds {
  if (state === 'ended') return seconds;
  return { ...seconds, [state]: seconds[state] + Math.max(0, more) };
}
