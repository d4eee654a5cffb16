/** How an agent that ended unexpectedly is started again. */
import type { Evidence } from '../../../shared/schema/events/evidence.ts';
import type { Reason } from '../../../shared/schema/reasons.ts';
import { countText } from '../../../shared/words/count-text.ts';
import { leaveQuota, timeoutAge } from './quota-clock.ts';
import { NOTHING } from './loop-state.ts';
import { emit, enter, evidenceFrom, iso, type Step } from './step.ts';
import { end, fail, stopForTime } from './stopping.ts';

/** Starts the agent again after a pause, or fails when the pauses are used up. */
export function scheduleRestart(step: Step, reason: Reason, evidence: Evidence[]): void {
  const { state, policy } = step;
  const delay = policy.restartDelaysMs[state.restartCount];
  if (delay === undefined) {
    const error = `${countText(state.restartCount, 'restart')} without a finished step`;
    return fail(step, 'restart_limit', state.error ?? error, evidence);
  }
  leaveQuota(step, 'agent_gone');
  state.restartCount += 1;
  state.restartIteration = state.iteration;
  const wait = { reason, since: iso(step.wallMs), until: null, evidence };
  enter(state, { ...NOTHING, status: 'restart_wait', wait, dueMs: state.ageMs + delay });
  state.agentProcess = null;
  state.snapshot = null;
  emit(step, {
    type: 'auto.restart_scheduled',
    data: { reason, restart_count: state.restartCount, delay_ms: delay, evidence },
  });
}

/** The pause is over. The tag lets the launch be found again. */
export function relaunch(step: Step): void {
  const { state, budget } = step;
  if (budget !== null) {
    return end(step, budget.reason, [evidenceFrom(step, 'daemon', budget.text)]);
  }
  if (state.ageMs >= timeoutAge(state)) return stopForTime(step);
  enter(state, { ...NOTHING, status: 'starting' });
  state.launchCount += 1;
  state.iterationBase = state.iteration;
  state.countUnknown = true;
  step.effects.push({ kind: 'launch', tag: `${state.runId}.${state.launchCount}` });
}
