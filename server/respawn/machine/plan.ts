/**
 * When a plan is accepted without a person: every gate in its order. Questions and permission
 * requests are never answered. Through the client's own request where there is one, which takes no
 * key; else with Enter, on a menu that was read.
 */
import { RESPAWN_TIMINGS } from '../../../shared/rules/respawn/respawn-keys.ts';
import { mayAsk, pauseEndMs } from '../checker/checker-state.ts';
import { startCheck } from './checks.ts';
import { note, type Step } from './step.ts';

/** The first gate that is closed; null when a plan may be accepted. */
export function closedGate(step: Step): string | null {
  const { kept, run, visit, nowMs } = step;
  const { signs } = run;
  if (visit.status !== 'watching') return 'not watching';
  if (signs.completion !== null) return 'a turn is over';
  const general = closedToPlans(step);
  if (general !== null) return general;
  if (signs.planRequest !== null) return null;
  if (signs.menu === null || !isPlanDialog(step)) return 'no plan shows';
  if (!kept.config.plan_check_enabled) return null;
  return mayAsk(kept.planChecker, nowMs) ? null : 'the plan check cannot be asked';
}

/**
 * A plan in the middle of a cycle that respawn would accept. The cycle cannot continue before it is
 * answered, and ends: only `watching` accepts.
 */
export function isPlanOpen(step: Step): boolean {
  const isOpen = step.run.signs.planRequest !== null || isPlanDialog(step);
  return isOpen && closedToPlans(step) === null;
}

/** The gates that do not depend on the state and the screen. */
function closedToPlans({ kept, run, nowMs }: Step): string | null {
  const { signs } = run;
  if (!kept.config.auto_accept_plans) return 'turned off';
  if (!signs.hasNewOutput) return 'nothing new since the last one';
  if (signs.asked !== null) return 'a question is open';
  if (signs.keys !== null) return 'a person has the keys';
  // Accepted, it is worked on at once.
  if (signs.budget !== null) return signs.budget.text;
  if (run.graceEndsMs !== null && run.graceEndsMs > nowMs) return 'the daemon was started again';
  return null;
}

function isPlanDialog({ run }: Step): boolean {
  const { agent } = run.signs;
  return agent?.state === 'waiting' && agent.cause === 'plan';
}

/** The client's own request needs no model: it names what it is about. */
export function needsPlanCheck(step: Step): boolean {
  const { kept, run } = step;
  return (
    kept.config.plan_check_enabled && run.signs.planRequest === null && closedGate(step) === null
  );
}

export function checkPlan(step: Step): void {
  if (step.visit.status === 'watching') step.visit.planCheck = startCheck(step, 'plan');
}

/** One for each silence: nothing is accepted again before new text came. */
export function acceptPlan(step: Step): void {
  const { signs } = step.run;
  signs.hasNewOutput = false;
  step.effects.push({ kind: 'accept_plan', request: signs.planRequest });
  note(step, 'plan', signs.planRequest === null ? 'accepts with Enter' : 'accepts the request');
}

/** A plan that was drawn before is read only now: its delay may be over. */
export function awaitPlan({ visit, run, kept, nowMs }: Step): void {
  if (visit.status !== 'watching' || !run.signs.hasNewOutput) return;
  visit.due.auto_accept = nowMs + kept.config.auto_accept_delay_ms;
}

/** Nothing was pressed or answered: the silence is not used up. */
export function retryPlan({ visit, run, nowMs }: Step): void {
  run.signs.hasNewOutput = true;
  if (visit.status === 'watching') visit.due.auto_accept = nowMs + RESPAWN_TIMINGS.hold_retry;
}

/** Looks again when the plan check may be asked again. */
export function leavePlan(step: Step): void {
  const { kept, visit, nowMs, run } = step;
  if (visit.status !== 'watching' || !run.signs.hasNewOutput) return;
  visit.due.auto_accept = pauseEndMs(kept.planChecker, nowMs);
}
