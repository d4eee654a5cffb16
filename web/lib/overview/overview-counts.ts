import { formatTime } from '$lib/ui/text/format-time.ts';
import { count } from '$lib/ui/text/amounts.ts';
import { type SectionName, SECTIONS } from './section-name.ts';
import { resumesAt, type Sections } from './sections.ts';
import type { Entry } from './tiles/tile.ts';

export interface OverviewCounts {
  counts: Readonly<Record<SectionName, number>>;
  /** The same by kind. */
  kinds: Readonly<Record<Entry['kind'], number>>;
  /** When the next waiting one continues, in milliseconds; null if unknown. */
  next: number | null;
}

interface Elsewhere {
  session: { agent: { until: string | null } };
}

/** `elsewhere`: sessions on this machine that Loopwatch did not start, in their sections. */
export function countOverview(
  own: Sections,
  elsewhere: Readonly<Record<SectionName, readonly Elsewhere[]>>,
): OverviewCounts {
  const ends = [
    ...own.waiting.flatMap((entry) => resumesAt(entry) ?? []),
    ...elsewhere.waiting.flatMap(({ session: { agent } }) =>
      agent.until === null ? [] : Date.parse(agent.until),
    ),
  ];
  const entries = SECTIONS.flatMap((name) => own[name]);
  const of = (kind: Entry['kind']): number => entries.filter((one) => one.kind === kind).length;
  const found = SECTIONS.reduce((sum, name) => sum + elsewhere[name].length, 0);
  const length = (name: SectionName): number => own[name].length + elsewhere[name].length;
  return {
    counts: {
      needs: length('needs'),
      waiting: length('waiting'),
      working: length('working'),
      done: length('done'),
      idle: length('idle'),
    },
    kinds: { session: of('session') + found, task: of('task'), run: of('run') },
    next: ends.length === 0 ? null : Math.min(...ends),
  };
}

/** The state of everything in one sentence. */
export function overviewSummary({ counts, kinds, next }: OverviewCounts): string {
  const { needs, waiting, working, done, idle } = counts;
  const all = (['session', 'task', 'run'] as const)
    .filter((kind) => kinds[kind] > 0)
    .map((kind) => count(kinds[kind], kind));
  if (all.length === 0) return 'No sessions yet.';
  const parts = [
    needs === 0 ? 'none need you' : `${needs} ${needs === 1 ? 'needs' : 'need'} you`,
    waiting > 0 && `${waiting} waiting${next === null ? '' : `, next at ${formatTime(next)}`}`,
    working > 0 && `${working} working`,
    done > 0 && `${done} done recently`,
    idle > 0 && `${idle} idle`,
  ];
  return `${all.join(', ')}: ${parts.filter(Boolean).join('; ')}.`;
}
