/** Reports of the agent that leave everything as it was: the loop stops before its limits do it. */
import { afterRound, isWithoutProgress } from '../../supervision/no-progress.ts';
import { evidenceFrom, type Input, type Step } from './step.ts';
import { requestStop } from './stopping.ts';

/** What the last report left behind was measured. */
export function onMeasured(step: Step, { trace }: Input<'measured'>): void {
  const { state, policy } = step;
  state.progress = afterRound(state.progress, trace);
  if (state.status !== 'running') return;
  if (!isWithoutProgress(state.progress, policy.noProgressSignals)) return;
  const count = state.progress?.unchanged ?? 0;
  const text = `${count} reports in a row changed no file, made no new tool call and said nothing new`;
  requestStop(step, 'no_progress', 'daemon', [evidenceFrom(step, 'daemon', text)]);
}
