import { formatTime } from '$lib/ui/format-time.ts';
import { resumesAt, type SectionName, type Sections } from './sections.ts';

export interface FleetCounts {
  counts: Readonly<Record<SectionName, number>>;
  /** When the next waiting session continues, in milliseconds; null if unknown. */
  next: number | null;
}

interface Elsewhere {
  session: { agent: { until: string | null } };
}

/** `elsewhere`: sessions on this machine that Loopwatch did not start, in their sections. */
export function countFleet(
  own: Sections,
  elsewhere: Readonly<Record<SectionName, readonly Elsewhere[]>>,
): FleetCounts {
  const count = (name: SectionName) => own[name].length + elsewhere[name].length;
  const elsewhereEnds = elsewhere.waiting.flatMap(({ session: { agent } }) => agent.until ?? []);
  const ends = [
    ...own.waiting.flatMap((tile) => resumesAt(tile) ?? []),
    ...elsewhereEnds.map((until) => Date.parse(until)),
  ];
  return {
    counts: {
      needs: count('needs'),
      waiting: count('waiting'),
      working: count('working'),
      idle: count('idle'),
    },
    next: ends.length === 0 ? null : Math.min(...ends),
  };
}

/** The state of all sessions in one sentence. */
export function fleetSummary({ counts, next }: FleetCounts): string {
  const { needs, waiting, working, idle } = counts;
  const all = needs + waiting + working + idle;
  if (all === 0) return 'No sessions yet.';
  const parts = [
    needs === 0 ? 'none need you' : `${needs} ${needs === 1 ? 'needs' : 'need'} you`,
    waiting > 0 && `${waiting} waiting${next === null ? '' : `, next at ${formatTime(next)}`}`,
    working > 0 && `${working} working`,
    idle > 0 && `${idle} idle`,
  ];
  return `${all} ${all === 1 ? 'session' : 'sessions'}: ${parts.filter(Boolean).join('; ')}.`;
}
