/** What a unit of work does now or how it ended, as one word to filter by. */
import type { WorkUnit } from '../../schema/usage/report.ts';

export const HISTORY_STATES = [
  'working',
  'waiting',
  'quota',
  'recovering',
  'queued',
  'changing',
  'paused',
  'completed',
  'failed',
  'exhausted',
  'stopped',
] as const;
export type HistoryState = (typeof HISTORY_STATES)[number];

/** An end that the log does not explain counts as stopped. */
export function historyState({
  state,
  waits_for,
  outcome,
}: Pick<WorkUnit, 'state' | 'waits_for' | 'outcome'>): HistoryState {
  if (state === 'ended') return outcome ?? 'stopped';
  if (waits_for === 'start' || waits_for === 'stop') return 'changing';
  return state === 'stopped' ? 'paused' : state;
}
