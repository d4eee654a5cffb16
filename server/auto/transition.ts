/**
 * The rules of the auto loop, pure: state × input → state, events, effects. Imports nothing at run
 * time. Every input carries the loop's clock, so each of them also checks what has fallen due.
 *
 *   starting ─► running ─► stopping ─► (ended)
 *                  │  ▲
 *                  ▼  │ launch
 *             restart_wait ─► failed
 *
 * `quota_wait` has its place beside `restart_wait` and stall recovery its place in `onLook`; neither
 * is entered yet.
 */
import type { StopFileReason } from '../../shared/auto-signal.ts';
import type { Actor, EventData, EventDraft } from '../../shared/events.ts';
import type { Reason } from '../../shared/reasons.ts';
import type {
  LoopEffect,
  LoopInput,
  LoopPolicy,
  LoopState,
  Stop,
  Transition,
} from './loop-state.ts';

/** One transition in the making; `state` is a copy that only this call sees. */
interface Step {
  readonly state: LoopState;
  readonly policy: LoopPolicy;
  readonly wallMs: number;
  ended: boolean;
  readonly events: EventDraft[];
  readonly effects: LoopEffect[];
}

type Input<Kind extends LoopInput['kind']> = Extract<LoopInput, { kind: Kind }>;

/** Reasons the agent understands in a stop file; the others have nobody to tell. */
const STOP_FILE_REASONS: Partial<Record<Reason, StopFileReason>> = {
  timeout: 'timeout',
  max_iterations: 'max_iterations',
  user_stop: 'user_stop',
  stall_limit: 'stall_limit',
};

/** Takes the state of a loop and one thing that happened; gives what follows. */
export function transition(before: LoopState, input: LoopInput, policy: LoopPolicy): Transition {
  const state = { ...before, ageMs: Math.max(before.ageMs, input.ageMs) };
  const step: Step = { state, policy, wallMs: input.wallMs, ended: false, events: [], effects: [] };
  if (before.status !== 'failed') apply(step, input);
  else if (input.kind === 'remove') end(step, before.stop?.reason ?? 'restart_limit');
  if (!step.ended) checkDue(step);
  return { state: step.ended ? null : state, events: step.events, effects: step.effects };
}

/** Takes a state; gives when on the loop's clock it must be looked at again, or null. */
export function nextDeadline(state: LoopState, policy: LoopPolicy): number | null {
  const due = [
    state.dueMs,
    timeoutApplies(state) ? timeoutAge(state) : null,
    state.idleSinceMs === null ? null : state.idleSinceMs + policy.idleConfirmMs,
  ].filter((age) => age !== null);
  return due.length === 0 ? null : Math.min(...due);
}

function apply(step: Step, input: LoopInput): void {
  switch (input.kind) {
    case 'tick':
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
    case 'look':
      return onLook(step, input);
    case 'terminal_gone':
      return onTerminalGone(step, input);
    case 'stop':
      return requestStop(step, input.reason, input.by);
    case 'limits':
      return onLimits(step, input);
    case 'abandon':
      return fail(step, input.reason, input.error);
    case 'remove':
      return;
  }
}

function onAgentSeen(step: Step, { process }: Input<'agent_seen'>): void {
  const { state } = step;
  const restarted = state.status === 'starting' && state.launchCount > 1;
  state.agentProcess = process;
  state.error = null;
  if (state.status !== 'starting') return;
  enterRunning(state);
  if (restarted) {
    emit(step, { type: 'auto.restarted', data: { restart_count: state.restartCount } });
  }
}

function onLaunchFailed(step: Step, { reason, error }: Input<'launch_failed'>): void {
  const { state } = step;
  if (state.status !== 'starting' && state.status !== 'stopping') return;
  state.error = error;
  if (state.stop !== null) end(step, state.stop.reason);
  else if (state.launchCount > 1) scheduleRestart(step, reason);
  else end(step, reason);
}

function onSignal(step: Step, input: Input<'signal'>): void {
  const { state } = step;
  const { signal, suspicious, mark, wallMs } = input;
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
  // A signal is proof that the agent runs, even one that was too quick to be seen.
  if (state.status === 'starting') enterRunning(state);
  if (next === '(stop)') announceEnd(step, endReason(signal));
  else if (state.stop?.by === 'agent') enterRunning(state);
  // The report after a merge is the end of the work, not one more round of it.
  const reporting = done === 'merge' && result === 'success' && next === 'report';
  if (state.status === 'running' && !reporting) checkIterations(step);
}

/**
 * Counts completed steps over restarts and tells whether the agent counted backwards. An agent
 * started again counts from the start, or goes on where it was: its first signal tells which.
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

/** `(stop)` by itself removes nothing: it starts the check that the agent is idle or gone. */
function announceEnd(step: Step, reason: Reason): void {
  const { state } = step;
  if (state.stop !== null && state.stop.by !== 'agent') return;
  if (state.status === 'restart_wait') return end(step, reason);
  enterStopping(state, { reason, by: 'agent', requestedAt: iso(step.wallMs), step: 'asked' });
}

function onLook(step: Step, { agent, taskDir, taskStatus, ageMs }: Input<'look'>): void {
  const { state, policy } = step;
  if (taskDir !== 'same' && state.stop === null) requestStop(step, 'dir_gone', 'daemon');
  if (step.ended) return;
  if (agent !== 'idle') state.idleSinceMs = null;
  if (agent === 'gone' || agent === 'left') return onAgentGone(step, agent, taskStatus);
  if (agent !== 'idle' || state.status !== 'stopping' || state.stop === null) return;
  state.idleSinceMs ??= ageMs;
  if (ageMs - state.idleSinceMs >= policy.idleConfirmMs) end(step, state.stop.reason);
}

function onAgentGone(step: Step, how: 'gone' | 'left', taskStatus: string | null): void {
  const { state } = step;
  if (state.status === 'stopping') return end(step, state.stop?.reason ?? 'completed');
  if (state.status !== 'running' && state.status !== 'quota_wait') return;
  // The last signal may have been deleted before anybody saw it; the task's own index remembers.
  if (taskStatus === 'complete') return end(step, 'completed');
  if (taskStatus === 'blocked') return end(step, 'blocked');
  if (taskStatus === 'cancelled') return end(step, 'cancelled');
  if (how === 'left') return end(step, 'user_closed');
  scheduleRestart(step, 'crashed');
}

function onTerminalGone(step: Step, { how }: Input<'terminal_gone'>): void {
  const { state } = step;
  if (how !== 'lost' || state.stop !== null) return end(step, state.stop?.reason ?? 'user_closed');
  if (state.status === 'running' || state.status === 'quota_wait') {
    scheduleRestart(step, 'terminal_lost');
  }
}

function onLimits(step: Step, { maxIterations, timeoutMinutes }: Input<'limits'>): void {
  const { state } = step;
  state.maxIterations = maxIterations ?? state.maxIterations;
  state.timeoutMinutes = timeoutMinutes ?? state.timeoutMinutes;
  emit(step, {
    type: 'auto.limits_changed',
    data: { max_iterations: state.maxIterations, timeout_minutes: state.timeoutMinutes },
  });
  if (state.status === 'running') checkIterations(step);
}

function checkIterations(step: Step): void {
  if (step.state.iteration >= step.state.maxIterations) {
    requestStop(step, 'max_iterations', 'daemon');
  }
}

/** What has fallen due on the loop's clock, whatever brought us here. */
function checkDue(step: Step): void {
  const { state, policy } = step;
  if (timeoutApplies(state) && state.ageMs >= timeoutAge(state)) {
    requestStop(step, 'timeout', 'daemon');
  }
  if (step.ended || state.dueMs === null || state.ageMs < state.dueMs) return;
  if (state.status === 'restart_wait') return relaunch(step);
  if (state.status !== 'stopping' || state.stop === null) return;
  state.dueMs = state.ageMs + policy.killGraceMs;
  const next = state.stop.step === 'asked' ? 'interrupt' : 'kill';
  step.effects.push({ kind: next });
  // A process that survived is killed again, in silence: the step was announced.
  if (state.stop.step === next) return;
  state.stop = { ...state.stop, step: next };
  emit(step, { type: 'auto.stop_escalated', data: { step: next, reason: state.stop.reason } });
}

function requestStop(step: Step, reason: Reason, by: Actor): void {
  const { state, policy } = step;
  if (state.stop !== null && state.stop.by !== 'agent') return;
  emit(step, { type: 'auto.stop_requested', data: { reason, by } });
  const stop: Stop = { reason, by, requestedAt: iso(step.wallMs), step: 'asked' };
  if (state.status === 'restart_wait') return end(step, reason);
  enterStopping(state, stop);
  state.dueMs = state.ageMs + policy.stopGraceMs;
  const told = STOP_FILE_REASONS[reason];
  if (told !== undefined) step.effects.push({ kind: 'write_stop_file', reason: told });
}

function scheduleRestart(step: Step, reason: Reason): void {
  const { state, policy } = step;
  const delay = policy.restartDelaysMs[state.restartCount];
  if (delay === undefined) return fail(step, 'restart_limit', state.error ?? reason);
  state.restartCount += 1;
  state.restartIteration = state.iteration;
  state.status = 'restart_wait';
  state.wait = { reason, since: iso(step.wallMs) };
  state.dueMs = state.ageMs + delay;
  state.agentProcess = null;
  emit(step, {
    type: 'auto.restart_scheduled',
    data: { reason, restart_count: state.restartCount, delay_ms: delay },
  });
}

function relaunch(step: Step): void {
  const { state } = step;
  state.status = 'starting';
  state.wait = null;
  state.dueMs = null;
  state.launchCount += 1;
  state.iterationBase = state.iteration;
  state.countUnknown = true;
  step.effects.push({ kind: 'launch', tag: `${state.runId}.${state.launchCount}` });
}

function enterRunning(state: LoopState): void {
  state.status = 'running';
  state.stop = null;
  state.wait = null;
  state.dueMs = null;
  state.idleSinceMs = null;
}

function enterStopping(state: LoopState, stop: Stop): void {
  state.status = 'stopping';
  state.stop = stop;
  state.wait = { reason: stop.reason, since: stop.requestedAt };
  state.dueMs = null;
  state.idleSinceMs = null;
}

/** The time limit also holds for an agent that announced its end and never ends. */
function timeoutApplies(state: LoopState): boolean {
  const timed = state.status === 'starting' || state.status === 'running';
  return timed || (state.status === 'stopping' && state.stop?.by === 'agent');
}

function timeoutAge(state: LoopState): number {
  return state.timeoutMinutes * 60_000 + state.quotaWaitTotalMs;
}

function end(step: Step, reason: Reason): void {
  step.ended = true;
  emit(step, { type: 'auto.ended', data: summary(step.state, reason) });
}

/** A failed loop keeps its row, so that somebody can see why before it is removed or replaced. */
function fail(step: Step, reason: Reason, error: string): void {
  const { state } = step;
  state.status = 'failed';
  state.stop = { reason, by: 'daemon', requestedAt: iso(step.wallMs), step: 'asked' };
  state.wait = null;
  state.dueMs = null;
  state.error = error;
  emit(step, { type: 'auto.failed', data: summary(state, reason) });
}

function summary(state: LoopState, reason: Reason): EventData<'auto.ended'> {
  return {
    task_dir: state.taskDir,
    reason,
    iteration: state.iteration,
    elapsed_seconds: (state.ageMs - state.quotaWaitTotalMs) / 1000,
    restart_count: state.restartCount,
    error: state.error,
  };
}

function emit(step: Step, draft: EventDraft): void {
  step.events.push({ ...draft, session: step.state.sessionName });
}

function iso(wallMs: number): string {
  return new Date(wallMs).toISOString();
}
