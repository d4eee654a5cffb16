/** How the time of a unit is coloured, the same in sums, lanes and charts. */
import type { TimeLook } from '$lib/ui/text/time-part.ts';
import type { ReportShare } from '$shared/schema/usage/report.ts';

export const SHARE_LOOK: Record<ReportShare, TimeLook> = {
  working: 'work',
  waiting: 'fail',
  recovering: 'fail-faint',
  quota: 'wait',
  queued: 'rest',
  stopped: 'rest-faint',
};

/** For shapes that are drawn: the token, and how much of it is seen. */
export const SHARE_COLOUR: Record<ReportShare, { colour: string; opacity: number }> = {
  working: { colour: 'var(--work)', opacity: 1 },
  waiting: { colour: 'var(--fail)', opacity: 1 },
  recovering: { colour: 'var(--fail)', opacity: 0.55 },
  quota: { colour: 'var(--wait)', opacity: 1 },
  queued: { colour: 'var(--line-control)', opacity: 1 },
  stopped: { colour: 'var(--line-control)', opacity: 0.55 },
};
