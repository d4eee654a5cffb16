/** What people, the configuration and the daemon decide: start, stop, pause, and the end of it all. */
import { RESPAWN_TIMINGS } from '../../../shared/rules/respawn/respawn-keys.ts';
import type { RespawnCheck } from '../../../shared/rules/respawn/respawn-names.ts';
import type { RespawnConfig } from '../../../shared/schema/loops/respawn.ts';
import type { Evidence } from '../../../shared/schema/events/evidence.ts';
import { drop, enable, READY } from '../checker/checker-state.ts';
import { freshSigns } from '../detection/signs.ts';
import { checkerOf, dropCheck, setChecker } from './checks.ts';
import { fire } from './fire.ts';
import { block, holdOf } from './obstacle.ts';
import { endTry, leaveWait } from './quota.ts';
import type { RespawnTransition, Stopped } from './respawn-state.ts';
import { authorOf, emit, type Input, note, type Step, witnessed } from './step.ts';

const MINUTE_MS = 60_000;

/** Begins with nothing known: checkers and breaker are as new. */
export function start(step: Step, { author, minutes, config, hasAgent }: Input<'start'>): void {
  const { kept, run, nowMs } = step;
  if (config !== undefined) configure(step, config);
  if (!kept.config.enabled) return;
  kept.runs += 1;
  kept.idleChecker = READY;
  kept.planChecker = READY;
  kept.breaker = { status: 'closed', misses: 0 };
  run.startedBy = author;
  run.endsMs = minutes === null ? null : nowMs + minutes * MINUTE_MS;
  fire(step, 'start', [witnessed(step, 'person', 'started')]);
  // Said to the person who starts it, not at the first idle moment.
  const obstacle = hasAgent ? null : holdOf(step);
  if (obstacle !== null) block(step, obstacle);
}

export function stop(step: Step, by: Exclude<Stopped['by'], null>, why: Evidence): void {
  const { run, kept } = step;
  leaveWait(step);
  fire(step, 'stop', [why]);
  if (step.visit.status === 'stopped') step.visit.by = by;
  // The clock continues from where the pause held it.
  if (run.pausedAtMs !== null) kept.behindMs = step.clockMs - step.nowMs;
}

/** Nothing more is sent, and a text that is not typed yet is cancelled; deadlines keep the time left. */
export function onPause(step: Step): void {
  const { run, visit } = step;
  if (run.pausedAtMs !== null) return;
  fire(step, 'check_dropped', [witnessed(step, 'person', 'paused')]);
  dropPlanCheck(step);
  if ('input' in visit && visit.input !== null) {
    step.effects.push({ kind: 'withdraw', input: visit.input });
  }
  // A person may leave it so for hours.
  endTry(step);
  run.pausedAtMs = step.clockMs;
  reportPause(step, true);
}

export function onResume(step: Step): void {
  const { run, kept } = step;
  if (run.pausedAtMs === null) return;
  kept.behindMs = step.clockMs - step.nowMs;
  run.pausedAtMs = null;
  reportPause(step, false);
}

function reportPause(step: Step, paused: boolean): void {
  emit(step, { type: 'respawn.paused', data: { paused, ...authorOf(step) } });
  note(step, paused ? 'pause' : 'resume', step.author ?? '');
}

/** Who changed what is typed into a session must be on record. */
export function configure(step: Step, config: RespawnConfig): void {
  const { kept } = step;
  const keys = Object.keys(config) as (keyof RespawnConfig)[];
  const changed = keys.filter((key) => kept.config[key] !== config[key]);
  kept.config = config;
  if (changed.length === 0) return;
  emit(step, { type: 'respawn.configured', data: { keys: changed, ...authorOf(step) } });
  note(step, 'config', `${changed.join(', ')}${step.author === null ? '' : ` by ${step.author}`}`);
}

/** Timers that run keep their length; everything that begins uses the new one. */
export function onConfigured(step: Step, { config }: Input<'configured'>): void {
  const { kept } = step;
  const before = kept.config;
  configure(step, config);
  if (!config.enabled) return stop(step, 'config', witnessed(step, 'person', 'turned off'));
  for (const check of ['idle', 'plan'] as const) {
    if (isChanged(before, config, check) && checkerOf(kept, check).status === 'disabled') {
      setChecker(kept, check, enable(checkerOf(kept, check)));
    }
  }
  const why = [witnessed(step, 'person', 'the check was turned off')];
  if (!config.idle_check_enabled) {
    fire(step, 'check_dropped', why);
    if (before.idle_check_enabled) forgetCheckPause(step);
  }
  if (!config.plan_check_enabled) dropPlanCheck(step);
}

export function onEnableCheck({ kept }: Step, { check }: Input<'enable_check'>): void {
  setChecker(kept, check, enable(checkerOf(kept, check)));
}

/** A daemon before this one ended at any moment: what it saw may be over, what it asked is lost. */
export function onRestored(step: Step): void {
  const { kept, run, visit, nowMs } = step;
  run.graceEndsMs = nowMs + RESPAWN_TIMINGS.restore_grace;
  run.signs = freshSigns(nowMs);
  run.block = null;
  kept.idleChecker = drop(kept.idleChecker);
  kept.planChecker = drop(kept.planChecker);
  if (visit.status === 'watching') visit.planCheck = null;
  findPending(step);
  fire(step, 'check_dropped', [witnessed(step, 'daemon', 'the daemon was started again')]);
}

/** The outbox knows the delivery of a text that was handed to it. */
export function findPending({ kept, effects }: Step): void {
  if (kept.pending !== null) effects.push({ kind: 'find_delivery', input: kept.pending });
}

/** There is nothing left to keep going: the row goes. */
export function onOwnerGone(step: Step, { detail }: Input<'owner_gone'>): RespawnTransition {
  if (step.visit.status !== 'stopped') {
    stop(step, 'person', witnessed(step, 'daemon', detail));
  }
  const { events, effects, quota } = step;
  return { state: null, events, effects, quota };
}

/** Silence alone decides from now on, however long the check would have paused. */
function forgetCheckPause({ visit, kept, nowMs }: Step): void {
  if (visit.status !== 'watching') return;
  visit.due.pre_filter = null;
  const silentMs = nowMs + kept.config.no_output_timeout_ms;
  visit.due.no_output = Math.min(visit.due.no_output ?? silentMs, silentMs);
}

function dropPlanCheck(step: Step): void {
  if (step.visit.status !== 'watching') return;
  dropCheck(step, 'plan');
  step.visit.planCheck = null;
}

function isChanged(before: RespawnConfig, after: RespawnConfig, check: RespawnCheck): boolean {
  const keys = Object.keys(after) as (keyof RespawnConfig)[];
  return keys.some((key) => key.startsWith(`${check}_check_`) && before[key] !== after[key]);
}
