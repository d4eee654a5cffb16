/** What a signal of the agent changes: the count, the end it announces, and proof that it works. */
import type { Evidence } from '../../../shared/schema/events/evidence.ts';
import type { Reason } from '../../../shared/schema/reasons.ts';
import type { LoopState } from './loop-state.ts';
import { leaveQuota } from './quota-clock.ts';
import { madeProgress } from './recovery.ts';
import { evidenceOf } from '../../supervision/evidence-of.ts';
import {
  emit,
  type Input,
  iso,
  type Step,
  evidenceFrom,
  enterRunning,
  startSucceeded,
} from './step.ts';
import { claimEnd } from './checking.ts';
import { cancelCheck, enterStopping, isRequested, requestStop } from './stopping.ts';

/** A signal that passed all checks. */
export function onSignal(step: Step, input: Input<'signal'>): void {
  const { state } = step;
  const { signal, suspicious, mark, wallMs } = input;
  // A signal is proof that the agent runs, even one that was too quick to be seen.
  if (state.status === 'starting') startSucceeded(step);
  const outOfOrder = countIteration(state, signal.iteration);
  const { step: done, result, next, checkpoint, timestamp } = signal;
  state.lastSignal = { step: done, result, next, checkpoint };
  state.lastSignalAt = iso(wallMs);
  state.signalMark = mark;
  emit(step, {
    type: 'auto.signal',
    data: {
      ...state.lastSignal,
      iteration: state.iteration,
      suspicious,
      out_of_order: outOfOrder,
      timestamp,
    },
  });
  madeProgress(step);
  cancelCheck(step);
  if (state.status === 'quota_wait') {
    leaveQuota(step, state.quota.nudgedAtMs === null ? 'by_itself' : 'nudged');
  }
  if (next === '(stop)') announceEnd(step, endReason(signal), signalEvidence(step));
  else if (state.stop?.by === 'agent') enterRunning(state);
  // The report after a merge is the end of the work, not another round of it.
  const reporting = done === 'merge' && result === 'success' && next === 'report';
  if (state.status === 'running' && !reporting) checkIterations(step);
  if (state.status === 'running' && !reporting) checkBudget(step);
  if (state.status === 'running' && step.policy.noProgressSignals > 0) {
    step.effects.push({ kind: 'measure' });
  }
}

/** Requests the stop of a loop that has reached its iterations. */
export function checkIterations(step: Step): void {
  const { iteration, maxIterations } = step.state;
  if (iteration < maxIterations) return;
  const count = evidenceFrom(step, 'signal', `iteration ${iteration} of ${maxIterations}`);
  requestStop(step, 'max_iterations', 'daemon', [count]);
}

/** Between two steps: what is left is for another one, or for none. */
function checkBudget(step: Step): void {
  if (step.budget === null) return;
  const { reason, text } = step.budget;
  requestStop(step, reason, 'daemon', [evidenceFrom(step, 'daemon', text)]);
}

/** The last signal as evidence. */
export function signalEvidence(step: Step): Evidence[] {
  const { lastSignal, lastSignalAt } = step.state;
  if (lastSignal === null) return [];
  const { step: done, result, next } = lastSignal;
  const at = lastSignalAt === null ? step.wallMs : Date.parse(lastSignalAt);
  return [evidenceOf('signal', at, [`${done} ${result}, next ${next}`])];
}

/**
 * Counts completed steps over restarts. True when the agent counted backwards. A restarted agent
 * counts from the start, or continues where it was: its first signal shows which.
 */
function countIteration(state: LoopState, reported: number | undefined): boolean {
  if (reported === undefined) return false;
  if (state.countUnknown) {
    if (reported > state.iterationBase) state.iterationBase = 0;
    state.countUnknown = false;
  }
  const count = state.iterationBase + reported;
  const outOfOrder = count < state.iteration;
  if (count > state.iteration) {
    state.iteration = count;
    state.recoveryCountStep = 0;
    if (count > state.restartIteration) state.restartCount = 0;
  }
  return outOfOrder;
}

function endReason(signal: Input<'signal'>['signal']): Reason {
  if (signal.result === 'BLOCKED' || signal.result === '(blocked)') return 'blocked';
  if (signal.result === 'conflict') return 'conflict';
  return 'completed';
}

/** `(stop)` alone removes nothing: it starts the check that the agent is idle or has ended. */
function announceEnd(step: Step, reason: Reason, evidence: Evidence[]): void {
  const { state } = step;
  if (isRequested(state)) return;
  if (state.status === 'restart_wait') return claimEnd(step, reason, evidence);
  const requestedAt = iso(step.wallMs);
  enterStopping(state, { reason, by: 'agent', author: '', requestedAt, step: 'asked', evidence });
}
