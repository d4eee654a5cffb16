/** How a loop stops, ends and fails, and how the daemon escalates. */
import type { StopFileReason } from '../../../shared/schema/loops/auto-signal.ts';
import type { Actor } from '../../../shared/schema/loops/auto-events.ts';
import type { EventData } from '../../../shared/schema/events/events.ts';
import type { Evidence } from '../../../shared/schema/events/evidence.ts';
import type { Reason } from '../../../shared/schema/reasons.ts';
import type { Unproven } from '../../../shared/schema/loops/loop-check.ts';
import { type LoopState, type LoopWait, NOTHING, type StateIn, type Stop } from './loop-state.ts';
import { leaveQuota, quotaWaitMs } from './quota-clock.ts';
import { emit, enter, type Input, iso, type Step, evidenceFrom } from './step.ts';

/** Reasons the agent understands in a stop file; the others have no agent to read it. */
const STOP_FILE_REASONS: Partial<Record<Reason, StopFileReason>> = {
  timeout: 'timeout',
  max_iterations: 'max_iterations',
  user_stop: 'user_stop',
  stall_limit: 'stall_limit',
  // The file has no word for it: a person's limit ends the loop.
  budget: 'user_stop',
  reserve: 'user_stop',
  no_progress: 'stall_limit',
};

/** A loop that ends so keeps its row, to be started again: by a person, or once its budgets allow it. */
const KEEPS_ITS_ROW: readonly Reason[] = ['budget', 'reserve', 'no_progress'];

/** Nothing is killed with fewer. */
const WITNESSES_TO_KILL = 2;

/**
 * Asks the agent to stop, for the person named `author`; a stop that is under way stays as it is.
 */
export function requestStop(
  step: Step,
  reason: Reason,
  by: Actor,
  evidence: Evidence[],
  author = '',
): void {
  const { state, policy } = step;
  if (isRequested(state)) return;
  cancelCheck(step);
  emit(step, {
    type: 'auto.stop_requested',
    data: { reason, by, evidence, ...(author === '' ? {} : { author }) },
  });
  if (state.status === 'restart_wait') return end(step, reason, evidence);
  leaveQuota(step, 'stopped');
  const requestedAt = iso(step.wallMs);
  const dueMs = state.ageMs + policy.stopGraceMs;
  enterStopping(state, { reason, by, author, requestedAt, step: 'asked', evidence }, dueMs);
  if (by === 'file') return;
  const fileReason = STOP_FILE_REASONS[reason];
  if (fileReason !== undefined) step.effects.push({ kind: 'write_stop_file', reason: fileReason });
}

/** The time limit is over. */
export function stopForTime(step: Step): void {
  const text = `${step.state.timeoutMinutes} min elapsed, excluding quota waits`;
  requestStop(step, 'timeout', 'daemon', [evidenceFrom(step, 'clock', text)]);
}

/** A person asks during a stop of another: it stays as it is, and says that this person asked too. */
export function joinStop(step: Step, asked: Evidence, author: string): void {
  const { state } = step;
  if (state.status !== 'stopping' || !isRequested(state)) return;
  const { stop } = state;
  const hasAsked = ({ witness, lines }: Evidence) =>
    witness === 'person' && lines.join() === asked.lines.join();
  if (stop.evidence.some(hasAsked)) return;
  const evidence = [...stop.evidence, asked];
  state.stop = { ...stop, author: stop.author || author, evidence };
  if (state.wait.reason === stop.reason) state.wait = { ...state.wait, evidence };
  emit(step, {
    type: 'auto.stop_requested',
    data: {
      reason: 'user_stop',
      by: 'person',
      evidence: [asked],
      ...(author === '' ? {} : { author }),
    },
  });
}

/** A stop is under way that the agent did not announce itself. */
export function isRequested({ stop }: LoopState): boolean {
  return stop !== null && stop.by !== 'agent';
}

/** The agent continues, or someone else ends the loop. */
export function cancelCheck({ state, effects }: Step): void {
  if (state.status !== 'stopping' || state.check === null) return;
  state.check = null;
  state.wait = waitOf(state.stop);
  effects.push({ kind: 'cancel_check' });
}

/** The next harder step against an agent that does not stop. Call when it is due. */
export function escalate(step: Step): void {
  const { state, policy, observation } = step;
  if (state.status !== 'stopping') return;
  const isKill = state.stop.step !== 'asked';
  if (isKill) {
    // Without a fresh observation nothing is proven; the next one follows within seconds.
    if (observation === null) return;
    // What was ordered was proven then. An agent that it ended has no witnesses any more, though its
    // descendants may take a minute.
    const isOrdered = state.stop.step === 'kill';
    if (!isOrdered && state.agentProcess !== null && !isProven(observation.witnesses)) {
      return withholdKill(step, state, observation.witnesses);
    }
  }
  const next = isKill ? 'kill' : 'interrupt';
  // On the loop's own clock: the wall clock may have been set since.
  const graceMs = isKill ? policy.killGraceMs : policy.stopGraceMs;
  const sinceMs = state.ageMs - (state.dueMs ?? state.ageMs) + graceMs;
  state.dueMs = state.ageMs + policy.killGraceMs;
  step.effects.push({ kind: isKill ? 'end_run' : 'interrupt' });
  // A run that did not report its end is ended again; the step was already announced.
  if (state.stop.step === next) return;
  const { reason } = state.stop;
  state.stop = { ...state.stop, step: next };
  const before = isKill ? 'the agent was interrupted' : 'the stop was asked for';
  const waited = `${Math.round(sinceMs / 1000)} s after ${before}`;
  const evidence = [...(observation?.witnesses ?? []), evidenceFrom(step, 'clock', waited)];
  emit(step, { type: 'auto.stop_escalated', data: { step: next, reason, evidence } });
}

function isProven(witnesses: readonly Evidence[]): boolean {
  return new Set(witnesses.map(({ witness }) => witness)).size >= WITNESSES_TO_KILL;
}

/** One more grace period for a second witness; after it a person has to end the agent. */
function withholdKill(step: Step, state: StateIn<'stopping'>, witnesses: Evidence[]): void {
  const text = `${witnesses.length} of ${WITNESSES_TO_KILL} confirm that the agent is still running`;
  const evidence = [...witnesses, evidenceFrom(step, 'daemon', text)];
  if (state.wait.reason === 'kill_withheld') {
    const pid = state.agentProcess?.pid ?? 0;
    const error = `Process ${pid} may be the agent, but this could not be verified. Check it with: ps -fp ${pid}`;
    return fail(step, 'kill_withheld', error, evidence);
  }
  state.dueMs = state.ageMs + step.policy.killGraceMs;
  state.wait = { reason: 'kill_withheld', since: iso(step.wallMs), until: null, evidence };
}

/** The agent ended after it was interrupted: its descendants are ended before the loop is. */
export function agentExitedWhileStopping(step: Step): void {
  const { state, policy } = step;
  if (state.status !== 'stopping') return;
  if (state.stop.step === 'asked') return end(step, state.stop.reason);
  state.dueMs = state.ageMs + policy.killGraceMs;
  // No event: nothing has to be killed that could be mistaken for the agent.
  state.stop = { ...state.stop, step: 'kill' };
  step.effects.push({ kind: 'end_run' });
}

/** The processes of an interrupted run have ended, or a person has to end them. */
export function onRunEnded(step: Step, { error }: Input<'run_ended'>): void {
  const { state } = step;
  if (state.status !== 'stopping') return;
  if (error === null) return end(step, state.stop.reason);
  const left = evidenceFrom(step, 'process', ...error.split('\n'));
  fail(step, 'kill_failed', error, [...state.stop.evidence, left]);
}

/** The agent does not learn about the stop from its file; the next steps reach it. */
export function onStopFileFailed(step: Step, { detail }: Input<'stop_file_failed'>): void {
  const { state } = step;
  if (state.status !== 'stopping') return;
  const evidence = [...state.stop.evidence, evidenceFrom(step, 'directory', detail)];
  state.stop = { ...state.stop, evidence };
  if (state.wait.reason === state.stop.reason) state.wait = { ...state.wait, evidence };
}

/** The wait repeats the reason of the stop. */
export function enterStopping(state: LoopState, stop: Stop, dueMs: number | null = null): void {
  enter(state, { ...NOTHING, status: 'stopping', stop, wait: waitOf(stop), dueMs });
}

function waitOf({ reason, requestedAt, evidence }: Stop): LoopWait {
  return { reason, since: requestedAt, until: null, evidence };
}

/**
 * The loop is over; without its own evidence it rests on that of its stop. A check that is still
 * under way proves nothing.
 */
export function end(step: Step, reason: Reason, evidence?: Evidence[], unproven?: Unproven): void {
  if (!KEEPS_ITS_ROW.includes(reason)) return close(step, reason, evidence, unproven);
  const { state, budget } = step;
  const found = state.stop?.evidence ?? evidence ?? [];
  const until = budget?.untilMs == null ? null : iso(budget.untilMs);
  const isForAPerson = budget?.kind === 'spent' && budget.reason === 'budget' && until === null;
  const wait =
    reason === 'no_progress' || isForAPerson
      ? null
      : { reason, since: iso(step.wallMs), until, evidence: found };
  fail(step, reason, found[0]?.lines[0] ?? reason, found, wait);
}

/** A failed loop is removed by a person. */
export function remove(step: Step, reason: Reason): void {
  close(step, reason);
}

function close(step: Step, reason: Reason, evidence?: Evidence[], unproven?: Unproven): void {
  leaveQuota(step, 'agent_gone');
  step.ended = true;
  const { check, stop } = step.state;
  const doubt = check !== null && reason === 'completed' ? 'not_checked' : unproven;
  const facts = summary(step.state, reason, evidence ?? stop?.evidence ?? []);
  const data = doubt === undefined ? facts : { ...facts, unproven: doubt };
  emit(step, { type: 'auto.ended', data });
}

/**
 * A failed loop keeps its row, so that people can see why before it is removed or replaced. `wait`:
 * it starts again on its own.
 */
export function fail(
  step: Step,
  reason: Reason,
  error: string,
  evidence: Evidence[],
  wait: LoopWait | null = null,
): void {
  const { state } = step;
  leaveQuota(step, 'agent_gone');
  const requestedAt = iso(step.wallMs);
  const stop: Stop = { reason, by: 'daemon', author: '', requestedAt, step: 'asked', evidence };
  enter(state, { ...NOTHING, status: 'failed', stop, wait });
  state.error = error;
  emit(step, { type: 'auto.failed', data: summary(state, reason, evidence) });
}

function summary(state: LoopState, reason: Reason, evidence: Evidence[]): EventData<'auto.ended'> {
  const waitedMs = quotaWaitMs(state);
  return {
    task_dir: state.taskDir,
    reason,
    iteration: state.iteration,
    elapsed_seconds: (state.ageMs - waitedMs) / 1000,
    quota_wait_seconds: waitedMs / 1000,
    restart_count: state.restartCount,
    recovery_count: state.recoveryCountTotal,
    error: state.error,
    evidence,
  };
}
