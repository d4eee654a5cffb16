/** How an ended loop is shown. Pure. */
import type { BadgeStyle } from '$lib/ui/tone.ts';
import type { PastLoop } from '$shared/schema/loops/past-loop.ts';

/** A result that the host could not verify is not shown as completed. */
export function pastBadge({ ended_at, outcome, reason, unproven }: PastLoop): BadgeStyle {
  if (ended_at === null) return { label: 'Running', tone: 'work', mark: 'disc' };
  if (outcome === 'failed') return { label: 'Failed', tone: 'fail', mark: 'cross' };
  if (reason !== 'completed') return { label: 'Stopped', tone: 'idle', mark: 'square' };
  return unproven === null
    ? { label: 'Completed', tone: 'good', mark: 'tick' }
    : { label: 'Unverified', tone: 'wait', mark: 'ring' };
}
