/**
 * The rules of a task, pure: state × input → state, people's inputs, events, effects. The files
 * of this folder import only types and pure functions.
 *
 *   PENDING ─► RUNNING ─► TESTING ─► COMPLETED | FAILED
 *              │  ▲  └──► EXHAUSTED | STOPPED | FAILED
 *              ▼  │
 *             PAUSED
 */
import {
  activeLeftMs,
  endRestored,
  exhaust,
  fail,
  isAtWork,
  isUnclaimable,
  loseClaim,
  reachedLimit,
  stop,
} from './ending.ts';
import { freshTask } from './fresh-task.ts';
import { enter, holdForBudget, type Input, isHeldBack, iso, queue, type Step } from './step.ts';
import { forgetConversation, startTurn } from './start-turn.ts';
import {
  onHeard,
  onJudged,
  onMeasured,
  onReplied,
  onSpawned,
  onTested,
  onTurnFailed,
} from './turns.ts';
import {
  type Limits,
  NOTHING,
  type TaskInput,
  type TaskPolicy,
  type TaskState,
  type TaskTransition,
} from './task-state.ts';
import { UNKNOWN_RESET_MS } from '../../turns/after-failure.ts';

export function transition(
  before: TaskState,
  input: TaskInput,
  policy: TaskPolicy,
): TaskTransition {
  const state = { ...before, activeMs: Math.max(before.activeMs, input.activeMs) };
  const { task, wallMs, pendingInput, budget, turnId, rules } = input;
  const step: Step = {
    task,
    state,
    policy,
    rules,
    wallMs,
    pendingInput,
    budget,
    turnId,
    author: 'author' in input ? input.author : null,
    inputs: [],
    events: [],
    effects: [],
    quota: [],
  };
  apply(step, input);
  reportStatus(step, before);
  reportLimit(step, before, input);
  const { inputs, events, effects, quota } = step;
  return { state, inputs, events, effects, quota };
}

/** One event, however many steps led from one status to the other; none when no reader sees a difference. */
function reportStatus({ task, state, author, events }: Step, before: TaskState): void {
  const isQueued = (of: TaskState) => of.stage === 'queued';
  const { status, reason, error, wait } = state;
  const isSame =
    before.status === status && before.reason === reason && isQueued(before) === isQueued(state);
  if (isSame) return;
  const until = wait?.until ?? null;
  const data = { task, status, before: before.status, reason, until, error };
  events.push({
    type: 'task.status',
    data: author === null ? data : { ...data, author },
  });
}

/** What it means for others that wait for the same quota. */
function reportLimit({ state, quota }: Step, before: TaskState, { kind }: TaskInput): void {
  if (!before.isLimited) return;
  if (!state.isLimited) quota.push(kind === 'replied' ? 'opened' : 'left');
  else if (kind === 'turn_failed') quota.push('closed');
  // Held back before its turn showed anything: another one may try.
  else if (isAtWork(before) && !isAtWork(state)) quota.push('left');
}

/** Milliseconds from now until the state must be checked again, null for never. */
export function nextDeadline(state: TaskState, limits: Limits, wallMs: number): number | null {
  if (state.stage === 'waiting') return state.dueMs === null ? null : state.dueMs - wallMs;
  return isAtWork(state) ? activeLeftMs(state, limits) : null;
}

function apply(step: Step, input: TaskInput): void {
  const { state } = step;
  switch (input.kind) {
    case 'begin':
      state.progress = null;
      return queue(step, false);
    case 'recover':
      state.progress = null;
      forgetConversation(step);
      return queue(step, false);
    case 'stop':
      return stop(step);
    case 'clear':
      return clear(step);
    case 'granted':
      return onGranted(step);
    case 'claimed':
      if (state.stage === 'queued') state.claims = input.claims;
      return;
    case 'held': {
      const { reason, detail } = input;
      if (state.stage !== 'queued') return;
      return void step.events.push({
        type: 'task.held',
        data: { task: step.task, reason, detail },
      });
    }
    case 'unclaimed':
      if (isUnclaimable(state)) state.claims = null;
      return;
    case 'claim_lost':
      return loseClaim(step, input.holder);
    case 'budget_changed':
      return onBudgetChanged(step);
    case 'prepared':
      return onPrepared(step, input);
    case 'prepare_failed':
      return state.stage === 'preparing' ? fail(step, 'worktree_failed', input.error) : undefined;
    case 'input':
      return onInput(step, input);
    case 'spawned':
      return onSpawned(step, input);
    case 'heard':
      return onHeard(step, input);
    case 'replied':
      return onReplied(step, input);
    case 'turn_failed':
      return onTurnFailed(step, input);
    case 'judged':
      return onJudged(step, input);
    case 'measured':
      return onMeasured(step, input);
    case 'tested':
      return onTested(step, input);
    case 'restored':
      return endRestored(step);
    case 'ended':
      if (state.stage === 'ending') {
        enter(state, { ...NOTHING, stage: 'none', status: state.status });
      }
      if (!isAtWork(state)) state.turn = null;
      return;
    case 'failed':
      return fail(step, 'client_failed', input.error);
    case 'set_back':
      return setBack(step, input.byMs);
    case 'tick':
      return onTick(step);
  }
}

function onGranted(step: Step): void {
  const { state, wallMs } = step;
  if (state.stage !== 'queued') return;
  if (step.budget !== null) return holdForBudget(step, step.budget);
  if (state.isLimited) step.quota.push('tried');
  enter(state, { ...NOTHING, stage: 'preparing', status: 'RUNNING' });
  state.isUrgent = false;
  state.reason = null;
  state.startedAt ??= iso(wallMs);
  state.completedAt = null;
  step.effects.push({ kind: 'prepare' });
}

function onPrepared(step: Step, { done }: Input<'prepared'>): void {
  const { state } = step;
  if (state.stage !== 'preparing') return;
  if (state.next.kind === 'digest' && done !== undefined) state.next = { ...state.next, done };
  startTurn(step);
}

/** Also a wait until a known time ends, because more may be allowed now. */
function onBudgetChanged(step: Step): void {
  const { budget, state } = step;
  if (state.stage !== 'waiting' || !isHeldBack(state)) return;
  if (budget?.kind !== 'spent') return queue(step, false);
  const isSame = budget.reason === state.reason && budget.untilMs === state.dueMs;
  if (!isSame) holdForBudget(step, budget);
}

/** A person's input ends any wait, and on request a turn. */
function onInput(step: Step, { interrupt }: Input<'input'>): void {
  const { state } = step;
  if (state.stage === 'waiting') queue(step, true);
  else if (state.stage === 'talking' && interrupt) step.effects.push({ kind: 'interrupt' });
}

function onTick(step: Step): void {
  const { state, wallMs } = step;
  if (state.stage === 'waiting' && state.dueMs !== null && wallMs >= state.dueMs) {
    return queue(step, false);
  }
  if (isAtWork(state) && reachedLimit(state, step.rules.limits) === 'timeout')
    exhaust(step, 'timeout');
}

function clear({ state }: Step): void {
  Object.assign(state, freshTask());
}

/**
 * The wall clock was set back: the task's own pause lasts as long as before. A reported reset is a
 * wall time, and stays.
 */
function setBack({ state }: Step, byMs: number): void {
  if (state.stage !== 'waiting' || state.dueMs === null) return;
  const { wait, dueMs } = state;
  const sinceMs = Date.parse(wait.since);
  if (wait.reason === 'quota' && dueMs - sinceMs !== UNKNOWN_RESET_MS) return;
  state.dueMs = dueMs - byMs;
  state.wait = { ...wait, since: iso(sinceMs - byMs), until: iso(state.dueMs) };
}
