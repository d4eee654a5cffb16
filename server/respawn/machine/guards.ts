/** The conditions of the table; each only reads. */
import type { RespawnGuard, RespawnStep } from '../../../shared/rules/respawn/respawn-names.ts';
import { RESPAWN_TIMINGS } from '../../../shared/rules/respawn/respawn-keys.ts';
import { mayAsk, pauseEndMs } from '../checker/checker-state.ts';
import { confidenceOf, isReportedIdle, readLayers } from '../detection/idle-layers.ts';
import { confirmMs } from './confirmation.ts';
import { holdOf, obstacleOf } from './obstacle.ts';
import { closedGate, isPlanOpen, needsPlanCheck } from './plan.ts';
import type { Step } from './step.ts';

export const GUARDS: Record<RespawnGuard, (step: Step) => boolean> = {
  enabled: ({ kept }) => kept.config.enabled,
  blocked: (step) => obstacleOf(step) !== null,
  unsettled: (step) =>
    holdOf(step) === null && confidence(step) < step.kept.config.min_idle_confidence,
  needs_check: (step) =>
    asksModel(step) && mayAsk(step.kept.idleChecker, step.nowMs) && holdOf(step) === null,
  check_cooling: (step) =>
    asksModel(step) &&
    pauseEndMs(step.kept.idleChecker, step.nowMs) !== null &&
    holdOf(step) === null,
  needs_plan_check: needsPlanCheck,
  may_accept: (step) => closedGate(step) === null,
  plan_open: isPlanOpen,
  reported: ({ run }) => run.signs.reported !== null,
  submitted: ({ visit }) => 'input' in visit && visit.input !== null,
  no_text: (step) => textOf(step) === null,
  held: (step) => holdOf(step) !== null,
  sends_clear: (step) => step.kept.config.send_clear && !skipsClear(step),
  sends_init: ({ kept }) => kept.config.send_init,
  has_kickstart: ({ kept }) => kept.config.kickstart_prompt !== null,
  // A cycle under way ends also when something prevents the next one.
  vetoed: (step) => ('cycle' in step.visit ? holdOf(step) : obstacleOf(step)) !== null,
  spent: ({ kept, run }) => run.recoveries >= kept.config.max_stuck_recoveries,
};

/** The text of the step that is to be sent now. */
export function textOf({ kept: { config }, visit }: Pick<Step, 'kept' | 'visit'>): string | null {
  switch (visit.status) {
    case 'sending_update':
      return config.update_prompt;
    case 'sending_clear':
      return config.clear_prompt;
    case 'sending_init':
      return config.init_prompt;
    case 'sending_kickstart':
      return config.kickstart_prompt;
    default:
      return null;
  }
}

/** `sending_init` and `waiting_init` are both of `init`. */
export function stepOf(status: string): RespawnStep {
  return status.slice(status.indexOf('_') + 1) as RespawnStep;
}

/** Of little context there is nothing to clear; how much is used may be unknown. */
function skipsClear({ kept: { config }, run }: Step): boolean {
  const { contextPercent } = run.signs;
  const isKnown = contextPercent !== null && contextPercent > 0;
  return config.skip_clear && isKnown && contextPercent < config.skip_clear_below_percent;
}

/** Only where no stronger layer knows. */
function asksModel({ kept, run }: Step): boolean {
  return kept.config.idle_check_enabled && !isReportedIdle(run.signs);
}

function confidence({ kept, run, nowMs }: Step): number {
  const quietMs = Math.min(confirmMs(kept), kept.config.idle_timeout_ms);
  const workingAbsenceMs = RESPAWN_TIMINGS.working_absence;
  return confidenceOf(readLayers(run.signs, nowMs, { quietMs, workingAbsenceMs }));
}
