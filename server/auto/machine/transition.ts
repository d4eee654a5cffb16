/**
 * The rules of the auto loop, pure: state × input → state, events, effects. The files of this folder
 * import only types and pure functions. Every input carries the loop's clock, so each of them also
 * checks what has fallen due.
 *
 *   starting ─► running ─► stopping ─► (ended)
 *               │  ▲  ▲
 *               │  │  └─► quota_wait
 *               ▼  │ launch
 *             restart_wait ─► failed
 */
import type { LoopInput } from './loop-input.ts';
import type { LoopPolicy, LoopState, Transition } from './loop-state.ts';
import { timeoutAge } from './quota-clock.ts';
import { onObserved } from './observing.ts';
import { nudgeFailed } from './quota.ts';
import { onMeasured } from './progress.ts';
import { onSnapshot, recoveryFailed, retryAfterError } from './recovery.ts';
import { relaunch, scheduleRestart } from './restarting.ts';
import { onCheckBegun, onChecked, onSentBack } from './checking.ts';
import { checkIterations, onSignal } from './signals.ts';
import { emit, iso, type Input, startSucceeded, type Step, evidenceFrom } from './step.ts';
import {
  end,
  escalate,
  fail,
  isRequested,
  joinStop,
  onRunEnded,
  onStopFileFailed,
  remove,
  requestStop,
  stopForTime,
} from './stopping.ts';

export function transition(before: LoopState, input: LoopInput, policy: LoopPolicy): Transition {
  const state = { ...before, ageMs: Math.max(before.ageMs, input.ageMs) };
  endFuture(state, input.wallMs);
  const step: Step = {
    state,
    policy,
    wallMs: input.wallMs,
    budget: input.budget,
    observation: input.kind === 'observed' ? input : null,
    ended: false,
    events: [],
    effects: [],
    quota: [],
  };
  if (before.status !== 'failed') apply(step, input);
  else if (input.kind === 'remove') remove(step, before.stop.reason);
  if (!step.ended) checkDue(step);
  if (state.status !== before.status) state.statusSince = iso(input.wallMs);
  const { events, effects, quota } = step;
  return { state: step.ended ? null : state, events, effects, quota };
}

/**
 * Wall times that are compared with those of the agent. Where one lies in the future, the clock was
 * set back, and what the agent does now would count as older for as long.
 */
function endFuture(state: LoopState, wallMs: number): void {
  if (state.wait !== null && Date.parse(state.wait.since) > wallMs) {
    state.wait = { ...state.wait, since: iso(wallMs) };
  }
  if (state.recovering !== null && state.recovering.sinceWallMs > wallMs) {
    state.recovering = { ...state.recovering, sinceWallMs: wallMs };
  }
  if (state.dialogLeft !== null && state.dialogLeft.wallMs > wallMs) {
    state.dialogLeft = { ...state.dialogLeft, wallMs };
  }
}

/** When the state must be checked again, on the loop's clock; null for never. */
export function nextDeadline(state: LoopState, policy: LoopPolicy): number | null {
  // What was due and is still there waits for an observation, not for a time.
  const next = state.dueMs !== null && state.dueMs > state.ageMs ? state.dueMs : null;
  const due = [
    next,
    timeoutApplies(state) ? timeoutAge(state) : null,
    state.idleSinceMs === null ? null : state.idleSinceMs + policy.idleConfirmMs,
  ].filter((age) => age !== null);
  return due.length === 0 ? null : Math.min(...due);
}

function apply(step: Step, input: LoopInput): void {
  switch (input.kind) {
    case 'tick':
    case 'remove':
      return;
    case 'agent_seen':
      return onAgentSeen(step, input);
    case 'launch_failed':
      return onLaunchFailed(step, input);
    case 'signal':
      return onSignal(step, input);
    case 'signal_rejected': {
      const { cause, detail, mark } = input;
      step.state.signalMark = mark;
      return emit(step, { type: 'auto.signal_rejected', data: { cause, detail } });
    }
    case 'observed':
      return onObserved(step, input);
    case 'snapshot':
      return onSnapshot(step, input);
    case 'typed':
      return onTyped(step, input);
    case 'terminal_gone':
      return onTerminalClosed(step, input);
    case 'stop_file_failed':
      return onStopFileFailed(step, input);
    case 'check_begun':
      return onCheckBegun(step, input);
    case 'checked':
      return onChecked(step, input);
    case 'measured':
      return onMeasured(step, input);
    case 'run_ended':
      return onRunEnded(step, input);
    case 'stop': {
      const { reason, by, author = '' } = input;
      const who = author === '' ? '' : ` by ${author}`;
      const text = by === 'person' ? `requested${who}` : 'ends the loop';
      const evidence = evidenceFrom(step, by, text);
      if (by === 'person') joinStop(step, evidence, author);
      return requestStop(step, reason, by, [evidence], author);
    }
    case 'stop_file_seen': {
      const evidence = [evidenceFrom(step, 'directory', `.auto-stop was written: ${input.says}`)];
      return requestStop(step, 'user_stop', 'file', evidence);
    }
    case 'limits':
      return onLimits(step, input);
    case 'abandon':
      return fail(step, input.reason, input.error, [evidenceFrom(step, 'daemon', input.error)]);
  }
}

function onAgentSeen(step: Step, { process }: Input<'agent_seen'>): void {
  const { state } = step;
  state.agentProcess = process;
  state.error = null;
  if (state.status === 'starting') startSucceeded(step);
}

function onLaunchFailed(step: Step, { reason, error }: Input<'launch_failed'>): void {
  const { state } = step;
  if (state.status !== 'starting' && state.status !== 'stopping') return;
  const evidence = [evidenceFrom(step, 'terminal', error)];
  state.error = error;
  if (state.stop !== null) end(step, state.stop.reason);
  else if (state.launchCount > 1) scheduleRestart(step, reason, evidence);
  else end(step, reason, evidence);
}

function onTyped(step: Step, { cause, delivery, detail }: Input<'typed'>): void {
  const isTyped = delivery === 'delivered' || delivery === 'typed';
  if (cause === 'check') return onSentBack(step, isTyped);
  if (isTyped) return;
  const text = `${delivery}${detail === null ? '' : `: ${detail}`}`;
  if (cause === 'quota') return nudgeFailed(step, text);
  const { recovering } = step.state;
  if (recovering === null) return;
  recoveryFailed(step, recovering.cause, 'not_delivered', [evidenceFrom(step, 'daemon', text)]);
}

function onTerminalClosed(step: Step, { how }: Input<'terminal_gone'>): void {
  const { state } = step;
  const evidence = [evidenceFrom(step, 'terminal', `the terminal is ${how}`)];
  if (how !== 'lost') return end(step, state.stop?.reason ?? 'user_closed', evidence);
  if (state.stop !== null) return end(step, state.stop.reason);
  if (state.status === 'running' || state.status === 'quota_wait') {
    scheduleRestart(step, 'terminal_lost', evidence);
  }
}

function onLimits(step: Step, { maxIterations, timeoutMinutes, author }: Input<'limits'>): void {
  const { state } = step;
  state.maxIterations = maxIterations ?? state.maxIterations;
  state.timeoutMinutes = timeoutMinutes ?? state.timeoutMinutes;
  emit(step, {
    type: 'auto.limits_changed',
    data: { max_iterations: state.maxIterations, timeout_minutes: state.timeoutMinutes, author },
  });
  if (state.stop === null) checkIterations(step);
}

/** Handles what has fallen due on the loop's clock, after every input. */
function checkDue(step: Step): void {
  const { state } = step;
  if (timeoutApplies(state) && state.ageMs >= timeoutAge(state)) {
    stopForTime(step);
  }
  if (step.ended || state.dueMs === null || state.ageMs < state.dueMs) return;
  if (state.status === 'restart_wait') relaunch(step);
  else if (state.status === 'stopping') escalate(step);
  else if (state.status === 'running') retryAfterError(step);
}

/** The time limit also holds for an agent that announced its end and never ends. */
function timeoutApplies(state: LoopState): boolean {
  const timed = state.status === 'starting' || state.status === 'running';
  return timed || (state.status === 'stopping' && !isRequested(state) && state.check === null);
}
