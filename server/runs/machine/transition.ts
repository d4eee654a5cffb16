/**
 * The rules of a run, pure: state × input → state, people's inputs, events, effects. What the files
 * of this folder need is types and pure functions.
 *
 *   plan ─► execute ─► review ─► complete
 *                       │  ▲
 *                       ▼  │
 *                       fix      up to N rounds
 */
import { UNKNOWN_RESET_MS } from '../../turns/after-failure.ts';
import type { StartRun } from '../../../shared/schema/runs/run-requests.ts';
import { onClaim } from './claims.ts';
import {
  activeLeftMs,
  fail,
  finish,
  leaveUnmerged,
  onMerged,
  reachedLimit,
  stop,
} from './ending.ts';
import { OPEN } from './fresh-run.ts';
import { onChecked } from './reviewing.ts';
import type { RunInput, RunPolicy, RunState, RunTransition } from './run-state.ts';
import {
  errorOf,
  holdForBudget,
  type Input,
  isAtWork,
  onBudgetChanged,
  queue,
  reasonOf,
  setPhase,
  statusOf,
  type Step,
} from './step.ts';
import { awaitReview, onHeard, onReplied, onSpawned, onTurnFailed, proceed } from './turns.ts';

export function transition(before: RunState, input: RunInput, policy: RunPolicy): RunTransition {
  const { run, options, wallMs, pendingInput, budget, turnId } = input;
  const step: Step = {
    run,
    state: worked(before, input.activeMs),
    options,
    policy,
    wallMs,
    pendingInput,
    budget,
    turnId,
    plan: null,
    inputs: [],
    events: [],
    effects: [],
    quota: [],
  };
  apply(step, input);
  reportStatus(step, before, input);
  reportLimit(step, before, input);
  const { state, plan, inputs, events, effects, quota } = step;
  return { state, plan, inputs, events, effects, quota };
}

/** Time at work counts for the phase it was spent in. Always a copy. */
function worked(before: RunState, activeMs: number): RunState {
  const passed = Math.max(0, activeMs - before.activeMs);
  if (passed === 0 || before.phase === 'complete') return { ...before };
  const spend = before.spent[before.phase];
  const spent = {
    ...before.spent,
    [before.phase]: { ...spend, activeMs: spend.activeMs + passed },
  };
  return { ...before, activeMs: before.activeMs + passed, spent };
}

/** One event, however many steps led from one status to the other; none when no reader sees a difference. */
function reportStatus({ run, state, events }: Step, before: RunState, input: RunInput): void {
  const status = statusOf(state.now);
  const reason = reasonOf(state.now);
  const was = statusOf(before.now);
  if (was === status && reasonOf(before.now) === reason) return;
  const { now, phase } = state;
  const until =
    now.stage === 'waiting' && now.dueMs !== null ? new Date(now.dueMs).toISOString() : null;
  const data = { run, status, before: was, phase, reason, until, error: errorOf(now) };
  const by = 'author' in input ? { author: input.author } : {};
  events.push({ type: 'run.status', data: { ...data, ...by } });
}

/** What it means for others that wait for the same quota. */
function reportLimit({ state, quota }: Step, before: RunState, { kind }: RunInput): void {
  if (!before.isLimited) return;
  if (!state.isLimited) quota.push(kind === 'replied' ? 'opened' : 'left');
  else if (kind === 'turn_failed') quota.push('closed');
  // Held back before its turn showed anything: another one may try.
  else if (isAtWork(before.now) && !isAtWork(state.now)) quota.push('left');
}

/**
 * Milliseconds from now until the state must be checked again, null for never. `activeMs`: at work
 * so far.
 */
export function nextDeadline(
  state: RunState,
  options: StartRun,
  { wallMs, activeMs }: Pick<RunInput, 'wallMs' | 'activeMs'>,
): number | null {
  const { now } = state;
  if (now.stage === 'waiting') return now.dueMs === null ? null : now.dueMs - wallMs;
  return isAtWork(now) ? activeLeftMs(worked(state, activeMs), options) : null;
}

function apply(step: Step, input: RunInput): void {
  const { state } = step;
  switch (input.kind) {
    case 'resume':
      return onResume(step, input);
    case 'stop':
      return onStop(step, input);
    case 'granted':
      return onGranted(step);
    case 'claimed':
    case 'held':
    case 'unclaimed':
    case 'claim_lost':
      return onClaim(step, input);
    case 'budget_changed':
      return onBudgetChanged(step);
    case 'prepared':
      return state.now.stage === 'preparing' ? proceed(step) : undefined;
    case 'prepare_failed':
      if (state.now.stage === 'preparing') fail(step, 'worktree_failed', input.error);
      return;
    case 'input':
      return onInput(step, input);
    case 'plan_accepted':
      return onPlanAccepted(step);
    case 'spawned':
      return onSpawned(step, input);
    case 'heard':
      return onHeard(step, input);
    case 'replied':
      return onReplied(step, input);
    case 'turn_failed':
      return onTurnFailed(step, input);
    case 'checked':
      return onChecked(step, input);
    case 'restored':
      if (state.now.stage === 'over') return;
      state.isLimited = false;
      return finish(step, { status: 'stopped', reason: 'restored', error: null });
    case 'ended':
      return state.now.stage === 'ending' ? finish(step, state.now.result) : undefined;
    case 'failed':
      if (state.now.stage === 'merging') return leaveUnmerged(step, input.error);
      return fail(step, 'client_failed', input.error);
    case 'reported':
      // One that was resumed meanwhile gets another when it ends.
      if (state.now.stage === 'over') state.hasReport = true;
      return;
    case 'merged':
      return onMerged(step, input);
    case 'not_merged':
      return leaveUnmerged(step, input.why);
    case 'set_back':
      return onSetBack(step, input);
    case 'tick':
      return onTick(step);
  }
}

function onStop(step: Step, { author, reason }: Input<'stop'>): void {
  const { stage } = step.state.now;
  if (stage === 'ending' || stage === 'over') return;
  step.state.stopReason = reason;
  step.events.push({ type: 'run.stopped', data: { run: step.run, reason, author } });
  if (stage === 'merging') return leaveUnmerged(step, 'it was stopped before the merge');
  stop(step, 'user_stop', null);
}

/** Continues where it was, or at the start of the phase a person names. */
function onResume(step: Step, { author, fromPhase, redelivered }: Input<'resume'>): void {
  const { state } = step;
  const { now } = state;
  if (now.stage !== 'over') return;
  const { reason, status } = now.result;
  state.stopReason = null;
  state.completedAt = null;
  state.hasReport = false;
  state.notMerged = null;
  state.failures = 0;
  state.lostConversations = 0;
  // A person who has read why gives it as many rounds again.
  if (status !== 'stopped') {
    state.forgiven = { rounds: state.iteration, signatures: state.signatures.length };
    state.unchangedRounds = 0;
  }
  if (reason === 'stuck' || reason === 'fix_limit') state.next = OPEN;
  const wanted = fromPhase ?? (state.phase === 'complete' ? 'review' : state.phase);
  const phase = state.hasPlan ? wanted : 'plan';
  // Its plan waited for a person, and still does.
  const isReviewed = phase === 'plan' && state.hasPlan && step.options.review_plan;
  const awaitsReview = isReviewed && fromPhase === null && state.next.kind === 'open';
  if (phase !== state.phase || fromPhase !== null) state.next = OPEN;
  if (phase !== state.phase) setPhase(step, phase);
  step.events.push({ type: 'run.resumed', data: { run: step.run, phase, redelivered, author } });
  if (awaitsReview && step.pendingInput === null) return awaitReview(step);
  queue(step, true);
}

function onGranted(step: Step): void {
  const { state } = step;
  if (state.now.stage !== 'queued') return;
  if (step.budget !== null) return holdForBudget(step, step.budget);
  if (state.isLimited) step.quota.push('tried');
  state.now = { stage: 'preparing' };
  step.effects.push({ kind: 'prepare' });
}

/** A person's input ends any wait, and on request a turn. */
function onInput(step: Step, { interrupt }: Input<'input'>): void {
  const { now } = step.state;
  if (now.stage === 'waiting') queue(step, true);
  else if (now.stage === 'talking' && interrupt) step.effects.push({ kind: 'interrupt' });
}

function onPlanAccepted(step: Step): void {
  const { state } = step;
  if (state.now.stage !== 'waiting' || state.now.reason !== 'plan_review') return;
  setPhase(step, 'execute');
  state.next = OPEN;
  queue(step, true);
}

function onTick(step: Step): void {
  const { state, wallMs, options } = step;
  const { now } = state;
  if (now.stage === 'waiting' && now.dueMs !== null && wallMs >= now.dueMs) {
    return queue(step, false);
  }
  if (isAtWork(now) && reachedLimit(state, options) === 'timeout') fail(step, 'timeout', null);
}

/**
 * The wall clock was set back: the run's own pause lasts as long as before. A reported reset is a
 * wall time, and stays.
 */
function onSetBack({ state }: Step, { byMs }: Input<'set_back'>): void {
  const { now } = state;
  if (now.stage !== 'waiting' || now.dueMs === null) return;
  if (now.reason === 'quota' && now.dueMs - now.sinceMs !== UNKNOWN_RESET_MS) return;
  state.now = { ...now, sinceMs: now.sinceMs - byMs, dueMs: now.dueMs - byMs };
}
