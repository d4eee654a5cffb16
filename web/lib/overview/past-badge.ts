/** How an ended loop is shown. Pure. */
import type { LoopOutcome } from '$lib/history/loop-filter.ts';
import { outcomeOf } from '$lib/history/loop-filter.ts';
import type { BadgeStyle } from '$lib/ui/tone.ts';
import type { PastLoop } from '$shared/schema/loops/past-loop.ts';

const STYLE: Record<LoopOutcome, BadgeStyle> = {
  running: { label: 'Running', tone: 'work', mark: 'disc' },
  completed: { label: 'Completed', tone: 'good', mark: 'tick' },
  failed: { label: 'Failed', tone: 'fail', mark: 'cross' },
  other: { label: 'Stopped', tone: 'idle', mark: 'square' },
};

/** A result that the host could not verify is not shown as completed. */
export function pastBadge(past: PastLoop): BadgeStyle {
  const outcome = outcomeOf(past);
  if (outcome === 'completed' && past.unproven !== null) {
    return { label: 'Unverified', tone: 'wait', mark: 'ring' };
  }
  return STYLE[outcome];
}
