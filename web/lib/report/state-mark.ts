/** The shape of each state of a unit of work, the same in the history and the report. Pure. */
import type { Mark } from '$lib/ui/tone.ts';
import { type HistoryState, historyState } from '$shared/rules/events/history-state.ts';
import type { WorkUnit } from '$shared/schema/usage/report.ts';
import { entryFor } from '$shared/words/entry-for.ts';

const MARKS: Record<HistoryState, Mark> = {
  working: 'disc',
  waiting: 'half',
  quota: 'clock',
  recovering: 'ring',
  queued: 'clock',
  changing: 'ring',
  paused: 'dash',
  completed: 'tick',
  failed: 'cross',
  exhausted: 'cross',
  stopped: 'square',
};

export function stateMark(unit: Pick<WorkUnit, 'state' | 'waits_for' | 'outcome'>): Mark {
  return entryFor(MARKS, historyState(unit), () => 'dash');
}
