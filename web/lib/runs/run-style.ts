/** Badges for runs. Pure. */
import type { BadgeStyle, Mark } from '$lib/ui/tone.ts';
import type { RunStatus } from '$shared/schema/runs/run-phase.ts';
import type { RunSummary } from '$shared/schema/runs/run.ts';
import { reasonText } from '$shared/words/reason-text.ts';
import { entryFor } from '$shared/words/entry-for.ts';
import { runStatusText } from '$shared/words/work/run-text.ts';
import { needsPerson } from './needs-person.ts';

const RUN_MARK: Record<RunStatus, Mark> = {
  queued: 'ring',
  running: 'disc',
  waiting: 'clock',
  stopping: 'half',
  stopped: 'square',
  failed: 'cross',
  done: 'tick',
};

/** In the order of a run's life. */
export const RUN_STATUSES = Object.keys(RUN_MARK) as readonly RunStatus[];

export function statusBadge(status: RunStatus): BadgeStyle {
  return { ...runStatusText(status), mark: entryFor(RUN_MARK, status, () => 'dash') };
}

/** A wait is named by its reason; one for a person takes precedence. */
export function runBadge(run: Pick<RunSummary, 'status' | 'wait'>): BadgeStyle {
  const badge = statusBadge(run.status);
  if (run.status !== 'waiting' || run.wait === null) return badge;
  if (needsPerson(run)) return { label: 'Needs you', tone: 'fail', mark: 'half' };
  return { ...badge, label: reasonText(run.wait.reason).label };
}

/** What proves the result; null before the end. */
export function proofBadge({ proof }: Pick<RunSummary, 'proof'>): BadgeStyle | null {
  if (proof === null) return null;
  if (proof === 'proven') return { label: 'Verified', tone: 'good', mark: 'tick' };
  if (proof === 'refuted') return { label: 'Checks failed', tone: 'fail', mark: 'cross' };
  return { label: 'Unverified', tone: 'wait', mark: 'ring' };
}

/** What is wrong with its stored state. */
export function storedBadges({ stale, valid }: Pick<RunSummary, 'stale' | 'valid'>): BadgeStyle[] {
  return [
    ...(stale ? [{ label: 'Stale', tone: 'wait', mark: 'clock' } as const] : []),
    ...(valid ? [] : [{ label: 'Directory missing', tone: 'fail', mark: 'cross' } as const]),
  ];
}
