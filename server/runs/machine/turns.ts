/** Turns: what is sent next, and what follows from how a turn ended. */
import type { WorkPhase } from '../../../shared/schema/runs/run-phase.ts';
import type { Delivery, TurnContext } from '../../agents/headless/turn-outcome.ts';
import { contextAfter, isOfCompaction, NEW_CONTEXT } from '../../supervision/context-step.ts';
import { afterFailure } from '../../turns/after-failure.ts';
import type { TurnUsage } from '../../turns/turn-owner.ts';
import { fail } from './ending.ts';
import { OPEN } from './fresh-run.ts';
import { checkWork, onReviewed, workDone } from './reviewing.ts';
import type { Message, RunState, RunTurn } from './run-state.ts';
import { digestOf, forgetConversation, startTurn } from './start-turn.ts';
import { type Input, pause, queue, setInput, setPhase, type Step } from './step.ts';

/** An agent that tries a thousand is shown by its first ones. */
const MAX_DENIED = 50;

const CONTINUE: Message = { kind: 'continue', inputId: null };

export function onSpawned({ state }: Step, { process }: Input<'spawned'>): void {
  const { now } = state;
  if (now.stage === 'talking') state.now = { ...now, turn: { ...now.turn, process } };
  // It is ended by this: also by the next daemon.
  if (now.stage === 'ending' && now.turn !== null) {
    state.now = { ...now, turn: { ...now.turn, process } };
  }
}

/** The agent speaks: it has the message, and its conversation can be continued. */
export function onHeard(step: Step, { conversationId }: Input<'heard'>): void {
  const { state } = step;
  const turn = turnOf(state);
  if (turn === null) return;
  if (!turn.heard) {
    if (turn.message.inputId !== null) setInput(step, turn.message.inputId, 'delivered');
    // What is planned comes after a compaction.
    if (turn.message.kind !== 'compact') state.next = CONTINUE;
  }
  state.conversations = { ...state.conversations, [turn.phase]: conversationId };
  const { now } = state;
  if (now.stage === 'talking') state.now = { ...now, turn: { ...now.turn, heard: true } };
  if (now.stage === 'ending') state.now = { ...now, turn: { ...turn, heard: true } };
}

/** The agent answered. Input of a person that came meanwhile is sent before anything is judged. */
export function onReplied(step: Step, input: Input<'replied'>): void {
  const { said, usage, denied, context } = input;
  const { state } = step;
  const turn = turnOf(state);
  if (turn === null) return;
  count(step, turn.phase, usage);
  keepDenied(step, denied);
  state.failures = 0;
  state.isLimited = false;
  state.lostConversations = 0;
  const percent = keepContext(step, turn, context);
  const isCompaction = turn.message.kind === 'compact';
  if (isCompaction && context?.isCompacted === true) {
    const data = { run: step.run, phase: turn.phase, step: 'compact', percent } as const;
    step.events.push({ type: 'run.context', data });
  }
  if (!leaveTurn(state)) return;
  if (isCompaction) return startTurn(step);
  if (turn.phase === 'plan') return onPlanned(step, said.plan);
  if (turn.phase === 'review')
    return onReviewed(step, said.review, turn.message.kind === 'verdict');
  if (step.pendingInput !== null) return startTurn(step);
  const { question } = said;
  if (question?.kind === 'person') {
    return pause(step, question.reason, null, 'stream', question.question);
  }
  if (question !== null) {
    state.next = { kind: 'reply', inputId: null, text: question.text };
    return startTurn(step);
  }
  workDone(step);
}

function onPlanned(step: Step, plan: string): void {
  const { state } = step;
  if (plan.trim() !== '') {
    step.plan = plan;
    state.hasPlan = true;
    step.effects.push({ kind: 'write_plan' });
  }
  if (step.pendingInput !== null) return startTurn(step);
  if (!state.hasPlan) return fail(step, 'client_failed', 'the agent answered without a plan');
  if (step.options.review_plan) return awaitReview(step);
  execute(step);
}

/** What people say about the plan comes with the request for a whole one. */
export function awaitReview(step: Step): void {
  step.state.next = OPEN;
  pause(step, 'plan_review', null, 'stream', '');
}

function execute(step: Step): void {
  setPhase(step, 'execute');
  step.state.next = OPEN;
  startTurn(step);
}

export function onTurnFailed(step: Step, input: Input<'turn_failed'>): void {
  const { state, policy, wallMs } = step;
  const { error, heard, detail, until, usage, denied, context } = input;
  const turn = turnOf(state);
  if (turn === null) return;
  const before = { failures: state.failures, lostConversations: state.lostConversations };
  count(step, turn.phase, usage);
  keepDenied(step, denied);
  if (!turn.heard) returnInput(step, turn.message.inputId, heard);
  const isCompaction = turn.message.kind === 'compact';
  const isFailedCompaction = isCompaction && isOfCompaction(error);
  keepContext(step, turn, context, isFailedCompaction);
  if (!isCompaction) state.next = nextAfter(state, turn, heard);
  if (!leaveTurn(state)) return;
  if (isFailedCompaction) return startTurn(step);
  if (error === 'lost') return queue(step, false);
  if (error === 'limit') state.isLimited = true;
  if (error === 'bad_session') state.lostConversations += 1;
  const after = afterFailure({ error, until }, before, policy, wallMs);
  switch (after.kind) {
    case 'again':
      return startTurn(step);
    case 'wait':
      if (after.isRetry) state.failures += 1;
      return pause(step, after.reason, after.dueMs, 'stream', detail);
    case 'retry':
      state.failures += 1;
      return queue(step, true);
    case 'new_conversation':
      forgetConversation(state, turn.phase);
      state.next = digestOf(state.next);
      return queue(step, true);
    case 'fail':
      return fail(step, after.reason, detail);
  }
}

/**
 * A message that was certainly not heard is sent again, if it is the daemon's own; so is what a new
 * conversation needs to begin.
 */
function nextAfter({ next }: RunState, { heard, message }: RunTurn, delivery: Delivery): Message {
  if (message.kind === 'digest' && !heard) return { ...message, inputId: null };
  if (delivery === 'not_heard' && message.inputId === null) return message;
  return heard || delivery !== 'not_heard' ? CONTINUE : next;
}

/** Returns how full the conversation was before, in percent. */
function keepContext(
  { state, policy }: Step,
  { phase, message }: RunTurn,
  turn: TurnContext | undefined,
  isCompaction = message.kind === 'compact',
): number {
  const before = state.contexts?.[phase] ?? NEW_CONTEXT;
  const after = contextAfter(before, turn, policy.context, { isCompaction });
  state.contexts = { ...state.contexts, [phase]: after };
  return before.percent ?? 0;
}

/** Continues in its phase after it was queued. */
export function proceed(step: Step): void {
  const { state, pendingInput } = step;
  const isUnchecked = state.phase === 'review' && state.next.kind === 'open';
  if (isUnchecked && pendingInput === null) return checkWork(step);
  startTurn(step);
}

/** Input that the agent did not hear is queued again; any other is marked as unknown. */
function returnInput(step: Step, inputId: string | null, heard: Delivery): void {
  if (inputId === null) return;
  const became = { heard: 'delivered', not_heard: 'queued', unknown: 'unknown' } as const;
  setInput(step, inputId, became[heard]);
  // It was sent before all that wait.
  if (heard === 'not_heard') step.pendingInput = inputId;
}

/**
 * Its turn is over. False when the run is being ended; else it is between two stages until the rule
 * that follows says which comes.
 */
function leaveTurn(state: RunState): boolean {
  const { now } = state;
  if (now.stage === 'ending') state.now = { ...now, turn: null };
  if (now.stage !== 'talking') return false;
  state.now = { stage: 'preparing' };
  return true;
}

function turnOf({ now }: RunState) {
  return now.stage === 'talking' || now.stage === 'ending' ? now.turn : null;
}

/** For the report: each once. */
function keepDenied({ state }: Step, denied: readonly string[] = []): void {
  if (denied.length === 0) return;
  state.denied = [...new Set([...(state.denied ?? []), ...denied])].slice(0, MAX_DENIED);
}

function count({ state }: Step, phase: WorkPhase, usage: TurnUsage): void {
  const before = state.spent[phase];
  state.spent = {
    ...state.spent,
    [phase]: {
      ...before,
      inputTokens: before.inputTokens + usage.inputTokens,
      outputTokens: before.outputTokens + usage.outputTokens,
      costUsd: before.costUsd + usage.costUsd,
    },
  };
}
