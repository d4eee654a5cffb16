/** Groups runs by what they need from a person. Pure. */
import type { Tone } from '$lib/ui/tone.ts';
import type { RunSummary } from '$shared/schema/runs/run.ts';
import { needsPerson } from '../needs-person.ts';

export type RunGroup = 'needs' | 'work' | 'waits' | 'over';

export const GROUP_STYLE: Record<RunGroup, { label: string; tone: Tone }> = {
  needs: { label: 'Needs you', tone: 'fail' },
  work: { label: 'Working', tone: 'work' },
  waits: { label: 'Waiting', tone: 'wait' },
  over: { label: 'Ended', tone: 'idle' },
};

export const GROUPS = Object.keys(GROUP_STYLE) as readonly RunGroup[];

export function groupOf(run: Pick<RunSummary, 'status' | 'wait'>): RunGroup {
  switch (run.status) {
    case 'failed':
      return 'needs';
    case 'running':
    case 'stopping':
      return 'work';
    case 'queued':
    case 'waiting':
      return needsPerson(run) ? 'needs' : 'waits';
    case 'stopped':
    case 'done':
      return 'over';
  }
  // A status that only a newer host knows.
  return 'waits';
}

/** Within groups: the longest wait for a person first, elsewhere the newest. */
export function groupRuns(runs: readonly RunSummary[]): Record<RunGroup, RunSummary[]> {
  const groups: Record<RunGroup, RunSummary[]> = { needs: [], work: [], waits: [], over: [] };
  for (const run of runs) groups[groupOf(run)].push(run);
  groups.needs.sort((a, b) => since(a).localeCompare(since(b)));
  groups.work.sort((a, b) => b.started_at.localeCompare(a.started_at));
  groups.waits.sort((a, b) => b.started_at.localeCompare(a.started_at));
  groups.over.sort((a, b) => ended(b).localeCompare(ended(a)));
  return groups;
}

function since({ wait, updated_at: updated }: RunSummary): string {
  return wait?.since ?? updated;
}

function ended({ completed_at: at, updated_at: updated }: RunSummary): string {
  return at ?? updated;
}
