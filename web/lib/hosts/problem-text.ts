import type { FleetProblem } from '$shared/schema/fleet.ts';

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
