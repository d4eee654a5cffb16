/** Entering a state and leaving it: its timers, what it requests, what it cancels. */
import { RESPAWN_TIMINGS } from '../../../shared/rules/respawn/respawn-keys.ts';
import type {
  ActiveState,
  RespawnStep,
  RespawnTrigger,
} from '../../../shared/rules/respawn/respawn-names.ts';
import type { RespawnRow } from '../../../shared/rules/respawn/respawn-table.ts';
import { pauseEndMs } from '../checker/checker-state.ts';
import { dropCheck, startCheck } from './checks.ts';
import { confirmMs, keepSettled } from './confirmation.ts';
import { closeCycle, openCycle, stepDone, withSkipped } from './cycle.ts';
import { stepOf } from './guards.ts';
import { endTry } from './quota.ts';
import type { OpenCycle, Visit } from './respawn-state.ts';
import { at, type Step } from './step.ts';

/** The new visit; that of the step is still the one that ends. */
export function enter(step: Step, to: ActiveState, on: RespawnTrigger): Visit {
  const { kept, run, nowMs } = step;
  const { config } = kept;
  const common = { sinceMs: nowMs, sinceAt: at(step, nowMs), isWarned: false };
  const stuck = nowMs + config.stuck_recovery_ms;
  switch (to) {
    case 'watching':
      return { status: to, ...common, due: { ...watchTimers(step), stuck }, planCheck: null };
    case 'confirming_idle': {
      const isReported = on === 'reported_idle';
      const due = {
        completion_confirm: isReported ? null : nowMs + confirmMs(kept),
        hook_confirm: isReported ? nowMs + RESPAWN_TIMINGS.hook_confirm : null,
        no_output: nowMs + config.no_output_timeout_ms,
        stuck,
      };
      return { status: to, ...common, due, signMs: nowMs, isReported };
    }
    case 'ai_checking': {
      const check_timeout = nowMs + config.idle_check_timeout_ms + RESPAWN_TIMINGS.check_slack;
      const check = startCheck(step, 'idle');
      return { status: to, ...common, due: { check_timeout, stuck }, check };
    }
    case 'sending_update':
    case 'sending_clear':
    case 'sending_init':
    case 'sending_kickstart': {
      const cycle = cycleAt(step, to);
      run.block = null;
      const due = { step_delay: nowMs + config.inter_step_delay_ms, stuck };
      return { status: to, ...common, due, cycle, input: null };
    }
    case 'waiting_clear': {
      const clear_fallback = nowMs + RESPAWN_TIMINGS.clear_fallback;
      const due = { step_confirm: null, clear_fallback, stuck };
      return { status: to, ...common, due, cycle: cycleAt(step, to), sentMs: nowMs };
    }
    case 'waiting_update':
    case 'waiting_init':
    case 'waiting_kickstart': {
      const due = { step_confirm: null, no_output: nowMs + config.no_output_timeout_ms, stuck };
      return { status: to, ...common, due, cycle: cycleAt(step, to), sentMs: nowMs };
    }
    case 'monitoring_init': {
      const due = { init_monitor: nowMs + RESPAWN_TIMINGS.init_monitor, stuck };
      return { status: to, ...common, due, cycle: cycleAt(step, to) };
    }
  }
}

/** All of `watching` but `stuck`, from now. */
export function watchTimers({ kept, run, nowMs }: Step): {
  pre_filter: number | null;
  no_output: number;
  auto_accept: number | null;
} {
  const { config, idleChecker } = kept;
  const { signs } = run;
  const pauseMs = pauseEndMs(idleChecker, nowMs) ?? 0;
  const workMs = (signs.work?.atMs ?? -Infinity) + RESPAWN_TIMINGS.working_absence;
  const asks = config.idle_check_enabled && idleChecker.status !== 'disabled';
  const quietMs = Math.max(nowMs + config.idle_timeout_ms, workMs, pauseMs);
  const isChecking = asks && pauseMs > 0;
  return {
    pre_filter: asks ? quietMs : null,
    no_output: Math.max(nowMs + config.no_output_timeout_ms, isChecking ? pauseMs : 0),
    auto_accept: signs.hasNewOutput ? nowMs + config.auto_accept_delay_ms : null,
  };
}

/** Closes what belongs to the visit; `row` is the way out. */
export function leave(step: Step, row: RespawnRow): void {
  const { visit, kept, nowMs } = step;
  if (visit.status === 'stopped') return;
  if (visit.status === 'watching') dropCheck(step, 'plan');
  if (visit.status === 'ai_checking') dropCheck(step, 'idle');
  if (visit.status === 'confirming_idle' && !visit.isReported) {
    if (row.on === 'busy' || row.on === 'output') keepSettled(kept, nowMs - visit.signMs);
    else if (row.on === 'confirmed') keepSettled(kept, step.run.signs.outputAtMs - visit.signMs);
  }
  const isSettled = row.on === 'delivered' || row.on === 'undelivered';
  if ('input' in visit && visit.input !== null && !isSettled) {
    step.effects.push({ kind: 'withdraw', input: visit.input });
  }
  if ('sentMs' in visit && (row.on === 'step_confirmed' || row.on === 'clear_fallback')) {
    visit.cycle = stepDone(step, visit.cycle, stepOf(visit.status), visit.sentMs);
  }
  if (row.ends !== undefined && 'cycle' in visit) {
    endTry(step);
    const cycle = withSkipped(
      visit.cycle,
      row.ends === 'completed' ? skippedOn(visit.status, null) : [],
    );
    closeCycle(step, cycle, row.ends);
  }
}

/** The cycle that continues, or a new one with its first step. */
function cycleAt(step: Step, to: ActiveState): OpenCycle {
  const { visit } = step;
  if (!('cycle' in visit)) return openCycle(step);
  return withSkipped(visit.cycle, to.startsWith('sending') ? skippedOn(visit.status, to) : []);
}

const ORDER: readonly RespawnStep[] = ['update', 'clear', 'init', 'kickstart'];

/** The steps between that of one state and that of the next, or the end. */
function skippedOn(from: string, to: string | null): RespawnStep[] {
  const next = to === null ? ORDER.length : ORDER.indexOf(stepOf(to));
  return ORDER.slice(ORDER.indexOf(stepOf(from)) + 1, next);
}
