/** What a transition does besides entering its state. */
import { RESPAWN_TIMINGS } from '../../../shared/rules/respawn/respawn-keys.ts';
import type { RespawnAction } from '../../../shared/rules/respawn/respawn-names.ts';
import { confirmMs } from './confirmation.ts';
import { GUARDS, stepOf, textOf } from './guards.ts';
import { block, holdOf, obstacleOf } from './obstacle.ts';
import { acceptPlan, checkPlan, leavePlan } from './plan.ts';
import { judgeLastCycle } from './breaker.ts';
import { beginTry, endTry } from './quota.ts';
import { note, type Step } from './step.ts';
import { watchTimers } from './visits.ts';

export const ACTIONS: Record<RespawnAction, (step: Step) => void> = {
  rewatch,
  block: (step) => {
    const obstacle = obstacleOf(step);
    if (obstacle !== null) block(step, obstacle);
    if (obstacle?.reason === 'circuit_open') judgeLastCycle(step);
    const { visit } = step;
    const plan = visit.status === 'watching' ? visit.due.auto_accept : null;
    rewatch(step);
    // The silence that was found too long is the one that the plan waits for.
    if (visit.status === 'watching' && plan !== null) visit.due.auto_accept = plan;
  },
  reconfirm: ({ visit, run, kept, nowMs }) => {
    if (visit.status !== 'confirming_idle') return;
    if (run.signs.outputAtMs === nowMs) {
      visit.due.no_output = nowMs + kept.config.no_output_timeout_ms;
    }
    if (visit.isReported) visit.due.hook_confirm = nowMs + RESPAWN_TIMINGS.hook_confirm;
    else visit.due.completion_confirm = nowMs + confirmMs(kept);
  },
  hurry: ({ visit, nowMs }) => {
    if (visit.status !== 'confirming_idle') return;
    const { completion_confirm, hook_confirm } = visit.due;
    const soonMs = nowMs + RESPAWN_TIMINGS.hook_confirm;
    visit.isReported = true;
    visit.due.hook_confirm = Math.min(completion_confirm ?? hook_confirm ?? soonMs, soonMs);
    visit.due.completion_confirm = null;
  },
  check_plan: checkPlan,
  accept_plan: acceptPlan,
  leave_plan: leavePlan,
  submit: (step) => {
    const { visit, kept, run } = step;
    const text = textOf(step);
    if (!('input' in visit) || text === null) return;
    const name = stepOf(visit.status);
    const input = `${kept.runs}.${visit.cycle.number}.${name}`;
    visit.input = input;
    kept.pending = input;
    run.block = null;
    beginTry(step);
    step.effects.push({ kind: 'submit', input, step: name, text });
    note(step, 'submit', name);
  },
  hold,
  confirm_step: ({ visit, kept, nowMs }) => {
    if (!('sentMs' in visit)) return;
    const lengthMs = visit.status === 'waiting_clear' ? 0 : confirmMs(kept);
    visit.due.step_confirm ??= nowMs + lengthMs;
  },
  unconfirm_step: ({ visit, kept, nowMs }) => {
    if (!('sentMs' in visit) || visit.status === 'waiting_clear') return;
    visit.due.step_confirm = null;
    visit.due.no_output = nowMs + kept.config.no_output_timeout_ms;
    // A turn that works is not stuck.
    visit.due.stuck = nowMs + kept.config.stuck_recovery_ms;
  },
  reconfirm_step: (step) => {
    const { visit, kept, nowMs } = step;
    if (!('sentMs' in visit) || visit.status === 'waiting_clear') return;
    if (visit.due.step_confirm !== null) visit.due.step_confirm = nowMs + confirmMs(kept);
    visit.due.no_output = nowMs + kept.config.no_output_timeout_ms;
  },
  count_recovery: (step) => {
    step.run.recoveries += 1;
    note(step, 'stuck', `recovery ${step.run.recoveries}`);
  },
  defer_recovery: (step) => {
    const { visit, kept, nowMs } = step;
    if (visit.status === 'stopped') return;
    visit.due.stuck = nowMs + RESPAWN_TIMINGS.stuck_defer;
    if (GUARDS.vetoed(step)) return;
    const lines = [`${kept.config.max_stuck_recoveries} recoveries are used up`];
    block(step, { reason: 'stuck', until: null, witness: 'daemon', lines });
  },
};

function rewatch(step: Step): void {
  const { visit, run, kept, nowMs } = step;
  if (visit.status !== 'watching') return;
  // What was seen before new text or work no longer counts.
  run.signs.completion = null;
  run.signs.verdict = null;
  const isAtWork = run.signs.work?.atMs === nowMs;
  const stuck = isAtWork ? nowMs + kept.config.stuck_recovery_ms : visit.due.stuck;
  visit.due = { ...watchTimers(step), stuck };
}

/** The timer that is over begins once more; the reason is shown meanwhile. */
function hold(step: Step): void {
  const { visit, nowMs } = step;
  const obstacle = holdOf(step);
  if (obstacle !== null) endTry(step);
  if (obstacle !== null) block(step, obstacle);
  const againMs = nowMs + RESPAWN_TIMINGS.hold_retry;
  if ('input' in visit) visit.due.step_delay = againMs;
  else if (visit.status === 'monitoring_init') visit.due.init_monitor = againMs;
  else if (visit.status === 'waiting_clear') {
    visit.due.clear_fallback ??= againMs;
    visit.due.step_confirm = null;
  } else if ('sentMs' in visit) visit.due.step_confirm = againMs;
}
