/** The state of a host in words. Pure. */
import { formatDayTime, formatTime } from '$lib/ui/text/format-time.ts';
import type { BadgeStyle } from '$lib/ui/tone.ts';
import type { FleetProblem, Host, WorkClaim } from '$shared/schema/fleet.ts';

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

/** What to do about each problem; the daemon's message says what it is. */
export const PROBLEM_TEXT: Record<FleetProblem, { label: string; next: string }> = {
  disconnected: {
    label: 'Not connected to the fleet',
    next: 'This host keeps working, and connects again automatically. Check that the NATS server runs and that LOOPWATCH_NATS names it.',
  },
  no_majority: {
    label: 'Cut off from most servers of the fleet',
    next: 'This host keeps working, and connects again automatically. Check that more than half of the NATS servers of the cluster run and reach each other; loopwatch fleet doctor says what answers.',
  },
  duplicate_host_id: {
    label: 'Another daemon has this host’s identity',
    next: 'A copied home or machine has the same host id. On the copy, delete fleet/host.json in its home and join again with a new invitation.',
  },
  not_allowed: {
    label: 'The fleet refused this host',
    next: 'Its invitation was withdrawn, or the server’s rights were changed. Ask for a new one with loopwatch fleet invite, and join again.',
  },
};
