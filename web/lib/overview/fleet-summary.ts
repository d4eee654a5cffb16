import { formatTime } from '$lib/ui/format-time.ts';
import { resumesAt, type Sections } from './sections.ts';

/** The state of all sessions in one sentence. */
export function fleetSummary({ needs, waiting, working, idle }: Sections): string {
  const all = needs.length + waiting.length + working.length + idle.length;
  if (all === 0) return 'No sessions yet.';
  const [next] = waiting;
  const nextAt = next === undefined ? null : resumesAt(next);
  const parts = [
    needs.length === 0 ? 'none need you' : `${needs.length} ${verb(needs, 'needs', 'need')} you`,
    waiting.length > 0 &&
      `${waiting.length} waiting${nextAt === null ? '' : `, next at ${formatTime(nextAt)}`}`,
    working.length > 0 && `${working.length} working`,
    idle.length > 0 && `${idle.length} idle`,
  ];
  return `${all} ${all === 1 ? 'session' : 'sessions'}: ${parts.filter(Boolean).join('; ')}.`;
}

function verb(of: readonly unknown[], one: string, many: string): string {
  return of.length === 1 ? one : many;
}
