/** The state of a host in words. Pure. */
import { formatDayTime, formatTime } from '$lib/ui/text/format-time.ts';
import type { BadgeStyle } from '$lib/ui/tone.ts';
import type { Host, WorkClaim } from '$shared/schema/fleet.ts';

const DAY_MS = 86_400_000;

export function hostStyle({ state, last_seen_at: seen }: Host, nowMs: number): BadgeStyle {
  switch (state) {
    case 'here':
      return { label: 'This host', tone: 'work', mark: 'disc' };
    case 'reachable':
      return { label: 'Reachable', tone: 'good', mark: 'disc' };
    case 'unreachable': {
      const since = seen === null ? '' : ` since ${sinceText(seen, nowMs)}`;
      return { label: `Unreachable${since}`, tone: 'fail', mark: 'cross' };
    }
  }
}

/** Who has a claim. */
export function claimStyle({ state, name }: Pick<WorkClaim, 'state' | 'name'>): BadgeStyle {
  if (state === 'unreachable')
    return { label: `${name}, unreachable`, tone: 'fail', mark: 'cross' };
  return { label: name, tone: state === 'here' ? 'work' : 'good', mark: 'disc' };
}

/** hh:mm, with the day if it was longer ago. */
export function sinceText(at: string, nowMs: number): string {
  return nowMs - Date.parse(at) < DAY_MS ? formatTime(at) : formatDayTime(at);
}
