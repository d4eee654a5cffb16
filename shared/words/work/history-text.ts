/** Texts of the history of work: the same on the page and in the shell. */
import type { HistoryState } from '../../rules/events/history-state.ts';
import { entryFor } from '../entry-for.ts';
import type { Tone } from '../tone.ts';

const HISTORY_STATE_TEXT: Record<HistoryState, { label: string; tone: Tone }> = {
  working: { label: 'Working', tone: 'work' },
  waiting: { label: 'Waiting for a person', tone: 'fail' },
  quota: { label: 'Waiting for quota', tone: 'wait' },
  recovering: { label: 'Recovering', tone: 'wait' },
  queued: { label: 'Queued', tone: 'idle' },
  changing: { label: 'Starting or stopping', tone: 'idle' },
  paused: { label: 'Idle or paused', tone: 'idle' },
  completed: { label: 'Completed', tone: 'good' },
  failed: { label: 'Failed', tone: 'fail' },
  exhausted: { label: 'Limit reached', tone: 'fail' },
  stopped: { label: 'Ended', tone: 'idle' },
};

export function historyText(state: HistoryState): { label: string; tone: Tone } {
  return entryFor(HISTORY_STATE_TEXT, state, (label) => ({ label, tone: 'idle' }));
}
