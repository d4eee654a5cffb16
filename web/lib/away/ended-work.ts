/** The work that ended in an interval, by how it ended. Pure. */
import type { ReportUnit } from '$shared/schema/usage/report.ts';
import type { Tone } from '$lib/ui/tone.ts';

export interface EndedWork {
  readonly label: string;
  readonly tone: Tone;
  /** The latest end first. */
  readonly units: readonly ReportUnit[];
}

const KINDS: readonly ReportUnit['kind'][] = ['loop', 'task', 'run', 'respawn'];

const GROUPS: readonly (Omit<EndedWork, 'units'> & { has: (unit: ReportUnit) => boolean })[] = [
  {
    label: 'Failed',
    tone: 'fail',
    has: ({ outcome }) => outcome === 'failed' || outcome === 'exhausted',
  },
  {
    label: 'Completed, verified',
    tone: 'good',
    has: ({ outcome, proof }) => outcome === 'completed' && proof?.state === 'proven',
  },
  {
    label: 'Completed, unverified',
    tone: 'wait',
    has: ({ outcome, proof }) => outcome === 'completed' && proof?.state !== 'proven',
  },
  { label: 'Stopped', tone: 'idle', has: ({ outcome }) => outcome === 'stopped' },
];

/** Only groups that have any. An agent without a supervisor ends with each of its turns. */
export function endedWork(units: readonly ReportUnit[]): EndedWork[] {
  const ended = units
    .filter(({ kind, closed_at }) => closed_at !== null && KINDS.includes(kind))
    .sort((one, other) => (other.closed_at ?? '').localeCompare(one.closed_at ?? ''));
  return GROUPS.map(({ has, ...group }) => ({ ...group, units: ended.filter(has) })).filter(
    ({ units: found }) => found.length > 0,
  );
}
