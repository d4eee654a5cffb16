/**
 * The rules of respawn, pure: state × input → state, events, effects. `shared/rules/respawn/respawn-table.ts`
 * holds the transitions; here inputs become triggers of it, and deadlines that have passed. Imports
 * nothing at run time but what is as pure.
 */
import { RESPAWN_TIMINGS } from '../../../shared/rules/respawn/respawn-keys.ts';
import { RESPAWN_TIMERS, type RespawnTimer } from '../../../shared/rules/respawn/respawn-timers.ts';
import { freshSigns } from '../detection/signs.ts';
import { onCheckTimeout, onVerdict } from './checking.ts';
import { fire, nextTimerMs } from './fire.ts';
import { stepOf } from './guards.ts';
import { onAgent, onHook, onOutput } from './observe.ts';
import { unblock } from './obstacle.ts';
import {
  configure,
  findPending,
  onConfigured,
  onEnableCheck,
  onOwnerGone,
  onPause,
  onRestored,
  onResume,
  start,
  stop,
} from './ruling.ts';
import type { RespawnInput, RespawnState, RespawnTransition, Run } from './respawn-state.ts';
import { retryPlan } from './plan.ts';
import { emit, type Input, note, type Step, witnessed } from './step.ts';

/** A chain of timers that are due at one moment is far shorter; more would be a fault of the table. */
const MAX_DUE = 32;

export function transition(before: RespawnState, input: RespawnInput): RespawnTransition {
  const step = openStep(before, input);
  if (input.kind === 'owner_gone') return onOwnerGone(step, input);
  if (before.run !== null) apply(step, input);
  else if (input.kind === 'start') start(step, input);
  else if (input.kind === 'configured') configure(step, input.config);
  else if (input.kind === 'enable_check') onEnableCheck(step, input);
  else if (input.kind === 'delivery') settlePending(step, input);
  else if (input.kind === 'restored') findPending(step);
  fireDue(step);
  unblock(step);
  const { kept, run, visit, events, effects, quota } = step;
  const state: RespawnState =
    visit.status === 'stopped' ? { ...kept, run: null, visit } : { ...kept, run, visit };
  return { state, events, effects, quota };
}

/** When on the supervisor's clock it must be asked again; null: only an event can move it. */
export function nextDeadline({ run, visit, config, behindMs }: RespawnState): number | null {
  if (run === null || run.pausedAtMs !== null) return null;
  const warnMs = visit.isWarned ? Infinity : visit.sinceMs + config.stuck_warning_ms;
  const due = [nextTimerMs(visit), visit.due.stuck, run.endsMs, warnMs];
  return Math.min(...due.map((ms) => ms ?? Infinity)) + behindMs;
}

/** The machine's clock at a moment of the supervisor's. */
export function machineMs(
  { run, behindMs }: Pick<RespawnState, 'run' | 'behindMs'>,
  clockMs: number,
): number {
  return (run?.pausedAtMs ?? clockMs) - behindMs;
}

function openStep(before: RespawnState, input: RespawnInput): Step {
  const { run, visit, ...kept } = before;
  const nowMs = machineMs(before, input.clockMs);
  return {
    kept,
    run: run === null ? freshRun(nowMs, input.wallMs) : { ...run, signs: { ...run.signs } },
    visit: visit.status === 'stopped' ? visit : copied(visit),
    nowMs,
    clockMs: input.clockMs,
    wallMs: input.wallMs,
    author: 'author' in input ? input.author : null,
    why: [],
    events: [],
    effects: [],
    quota: [],
  };
}

/** Timers and the cycle change in place. */
function copied<Of extends { due: object }>(visit: Of): Of {
  return { ...visit, due: { ...visit.due } };
}

function freshRun(nowMs: number, wallMs: number): Run {
  return {
    startedMs: nowMs,
    startedAt: new Date(wallMs).toISOString(),
    startedBy: '',
    pausedAtMs: null,
    endsMs: null,
    graceEndsMs: null,
    signs: freshSigns(nowMs),
    block: null,
    recoveries: 0,
    quota: 'free',
  };
}

function apply(step: Step, input: RespawnInput): void {
  switch (input.kind) {
    case 'start':
    case 'due':
    case 'owner_gone':
      return;
    case 'stop':
      return stop(step, 'person', witnessed(step, 'person', 'stopped'));
    case 'from_backup':
      return stop(step, 'restore', witnessed(step, 'daemon', 'restored from a backup'));
    case 'pause':
      return onPause(step);
    case 'resume':
      return onResume(step);
    case 'configured':
      return onConfigured(step, input);
    case 'enable_check':
      return onEnableCheck(step, input);
    case 'agent':
      return onAgent(step, input);
    case 'output':
      return onOutput(step, input);
    case 'hook':
      return onHook(step, input);
    case 'verdict':
      return onVerdict(step, input);
    case 'delivery':
      return onDelivery(step, input);
    case 'accepted':
      return onAccepted(step, input);
    case 'restored':
      return onRestored(step);
  }
}

/** The delivery of a step's text. For an earlier step only that its text is settled. */
function onDelivery(step: Step, happened: Input<'delivery'>): void {
  const { visit } = step;
  const { input, delivery, detail } = happened;
  settlePending(step, happened);
  if (!('input' in visit) || visit.input !== input) return;
  const why = [witnessed(step, 'daemon', detail === null ? delivery : `${delivery}: ${detail}`)];
  if (delivery === 'failed' || delivery === 'unknown') return fire(step, 'undelivered', why);
  const { cycle } = visit;
  emit(step, {
    type: 'respawn.step_sent',
    data: { cycle: cycle.number, step: stepOf(visit.status), input, delivery },
  });
  fire(step, 'delivered', why);
}

function settlePending({ kept }: Step, { input }: Input<'delivery'>): void {
  if (kept.pending === input) kept.pending = null;
}

function onAccepted(step: Step, { via, error, mayRetry }: Input<'accepted'>): void {
  if (error !== null) {
    note(step, 'plan', `not accepted: ${error}`);
    if (mayRetry) retryPlan(step);
    return;
  }
  const evidence = [witnessed(step, via === 'hook' ? 'hook' : 'screen', 'a plan was open')];
  emit(step, { type: 'respawn.auto_accepted', data: { via, evidence } });
  note(step, 'plan', `accepted by ${via}`);
}

/** After every input, deadlines that have passed follow: the earliest first. */
function fireDue(step: Step): void {
  for (let count = 0; count < MAX_DUE && step.run.pausedAtMs === null; count += 1) {
    const { visit, run, nowMs, kept } = step;
    if (visit.status === 'stopped') return;
    if (run.endsMs !== null && run.endsMs <= nowMs) {
      return stop(step, 'clock', witnessed(step, 'clock', 'its time is up'));
    }
    const waitedMs = nowMs - visit.sinceMs;
    if (!visit.isWarned && waitedMs >= kept.config.stuck_warning_ms) {
      visit.isWarned = true;
      note(
        step,
        'stuck',
        `${visit.status} for ${Math.round(waitedMs / RESPAWN_TIMINGS.stuck_defer)} min`,
      );
    }
    const due = Object.entries(visit.due) as [RespawnTimer, number | null][];
    const [first] = due
      .filter(([, ms]) => ms !== null && ms <= nowMs)
      .sort(([, one], [, other]) => (one ?? 0) - (other ?? 0));
    if (first === undefined) return;
    const [timer] = first;
    Object.assign(visit.due, { [timer]: null });
    if (timer === 'check_timeout') onCheckTimeout(step);
    else fire(step, RESPAWN_TIMERS[timer], [witnessed(step, 'clock', timer.replaceAll('_', ' '))]);
  }
}
