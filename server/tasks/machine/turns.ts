/** Turns: what follows from how a turn began and ended. */
import { complete, fail, reachedLimit } from './ending.ts';
import { forgetConversation, judge, startTurn } from './start-turn.ts';
import { enter, type Input, reportVerdict, pause, queue, setInput, type Step } from './step.ts';
import type { Delivery, TurnContext } from '../../agents/headless/turn-outcome.ts';
import { contextAfter, isOfCompaction } from '../../supervision/context-step.ts';
import { afterRound, isWithoutProgress } from '../../supervision/no-progress.ts';
import { afterFailure } from '../../turns/after-failure.ts';
import type { TurnUsage } from '../../turns/turn-owner.ts';
import { type Message, NOTHING, type Turn } from './task-state.ts';

const CONTINUE: Message = { kind: 'continue', inputId: null, text: null };

export function onSpawned({ state }: Step, { process }: Input<'spawned'>): void {
  if (state.turn !== null) state.turn = { ...state.turn, process };
}

/** The agent has answered: it got the message, and its conversation can be continued. */
export function onHeard(step: Step, { conversationId }: Input<'heard'>): void {
  const { state } = step;
  if (state.turn === null) return;
  if (!state.turn.heard) {
    const { inputId, kind } = state.turn.message;
    if (inputId !== null) setInput(step, inputId, 'delivered');
    if (kind === 'start' || kind === 'digest') state.isBriefed = true;
    // What is planned comes after a compaction.
    if (kind !== 'compact') state.next = CONTINUE;
  }
  state.conversationId = conversationId;
  state.turn = { ...state.turn, heard: true };
}

/** The agent answered. Input of a person that came meanwhile is sent before anything is judged. */
export function onReplied(step: Step, input: Input<'replied'>): void {
  const { said, usage, summary, context } = input;
  const { state, pendingInput } = step;
  const isCompaction = isCompacting(state.turn);
  count(step, usage);
  state.turn = null;
  state.failures = 0;
  state.isLimited = false;
  state.lostConversations = 0;
  if (isCompaction) return onCompacted(step, context);
  state.context = contextAfter(state.context, context, step.policy.context);
  state.iterations += 1;
  state.said = said;
  state.summary = summary;
  // It was stopped, and may be queued again by now.
  if (state.stage !== 'talking') return;
  if (pendingInput !== null) return startTurn(step);
  if (!step.rules.hasCriteria) return readClaim(step);
  judge(step);
}

/** The message that was planned follows: in a new conversation where too little was gained. */
function onCompacted(step: Step, context: TurnContext | undefined): void {
  const { task, state, policy, events } = step;
  const { percent } = state.context;
  state.context = contextAfter(state.context, context, policy.context, { isCompaction: true });
  if (context?.isCompacted === true) {
    events.push({ type: 'task.context', data: { task, step: 'compact', percent: percent ?? 0 } });
  }
  if (state.stage === 'talking') startTurn(step);
}

/** A model has judged. Without its verdict, the agent's own last lines count. */
export function onJudged(step: Step, { verdict, usage }: Input<'judged'>): void {
  const { state, pendingInput } = step;
  count(step, usage);
  if (state.stage !== 'judging') return;
  if (verdict === null) return readClaim(step);
  const { isMet, confidence, reasoning } = verdict;
  reportVerdict(step, { by: 'model', accepted: isMet, confidence, reasoning });
  state.unmet = isMet ? null : reasoning;
  if (pendingInput !== null) return startTurn(step);
  if (!isMet) return answer(step);
  state.claim = { by: 'criteria', text: reasoning, confidence };
  test(step);
}

export function onTurnFailed(step: Step, input: Input<'turn_failed'>): void {
  const { state, policy, wallMs } = step;
  const { error, heard, detail, until, usage, context } = input;
  const turn = state.turn;
  const isFailedCompaction = isCompacting(turn) && isOfCompaction(error);
  state.context = contextAfter(state.context, context, policy.context, {
    isCompaction: isFailedCompaction,
  });
  const before = { failures: state.failures, lostConversations: state.lostConversations };
  count(step, usage);
  state.turn = null;
  if (turn !== null && !turn.heard) returnInput(step, turn.message.inputId, heard);
  // It was stopped, and may be queued again: the next message waits for its slot.
  if (state.stage !== 'talking') return;
  if (isFailedCompaction) return startTurn(step);
  if (!isCompacting(turn)) state.next = nextAfter(turn, heard);
  if (error === 'lost') {
    if (policy.interrupted === 'resume') return queue(step, false);
    enter(state, { ...NOTHING, stage: 'none', status: 'STOPPED' });
    state.reason = 'interrupted';
    state.error = detail;
    return;
  }
  if (error === 'limit') state.isLimited = true;
  if (error === 'bad_session') state.lostConversations += 1;
  if (error === 'max_turns') state.iterations += 1;
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
      forgetConversation(step, state.next.text);
      // The turn's own input is back in the queue, but this step does not see it there yet.
      return queue(step, true);
    case 'fail':
      return fail(step, after.reason, detail);
  }
}

/**
 * A message that was certainly not heard is sent again, if it is the daemon's own; so is what a new
 * conversation needs to begin.
 */
function nextAfter(turn: Turn | null, heard: Delivery): Message {
  if (turn === null) return CONTINUE;
  const { message } = turn;
  if (message.kind === 'digest' && !turn.heard) return { ...message, inputId: null };
  return heard === 'not_heard' && message.inputId === null ? message : CONTINUE;
}

function isCompacting(turn: Turn | null): boolean {
  return turn?.message.kind === 'compact';
}

export function onTested(step: Step, input: Input<'tested'>): void {
  const { state, pendingInput } = step;
  if (state.stage !== 'testing') return;
  const { outcome, commit, detail } = input;
  const refuted = outcome === 'tests_failed' || outcome === 'gate_failed';
  const proof = refuted ? 'refuted' : outcome === 'none' ? 'unproven' : 'proven';
  const { by, text, confidence } = state.claim ?? { by: null, text: null, confidence: null };
  state.completion = { claimed_by: by, claim: text, confidence, proof, commit };
  if (pendingInput !== null) return startTurn(step);
  if (refuted) return fail(step, outcome, detail);
  complete(step, by === 'criteria' ? 'criteria_met' : 'claimed_done');
}

/** Input that the agent did not hear is queued again; any other is marked as unknown. */
function returnInput(step: Step, inputId: string | null, heard: Delivery): void {
  if (inputId === null) return;
  const became = { heard: 'delivered', not_heard: 'queued', unknown: 'unknown' } as const;
  setInput(step, inputId, became[heard]);
  // It was sent before all that wait.
  if (heard === 'not_heard') step.pendingInput = inputId;
}

function readClaim(step: Step): void {
  const { state, pendingInput } = step;
  if (pendingInput !== null) return startTurn(step);
  const claim = state.said?.claim ?? null;
  if (claim === null) return answer(step);
  reportVerdict(step, { by: 'heuristic', accepted: true, confidence: null, reasoning: claim });
  state.claim = { by: 'agent', text: claim, confidence: null };
  test(step);
}

/** Not done: the agent is answered, within the limits, or a person is asked. */
function answer(step: Step): void {
  const { state } = step;
  const reply = state.said?.reply;
  if (reply?.kind === 'person') {
    state.next = CONTINUE;
    return pause(step, reply.reason, null, 'stream', reply.question);
  }
  state.next = reply === undefined ? CONTINUE : { kind: 'reply', inputId: null, text: reply.text };
  const isLast = reachedLimit(state, step.rules.limits) !== null;
  if (isLast || noProgressTurns(step) === 0) return startTurn(step);
  enter(state, { ...NOTHING, stage: 'measuring', status: 'RUNNING' });
  step.effects.push({ kind: 'measure' });
}

/** What the last turn changed is known: the next one follows, or a person is asked. */
export function onMeasured(step: Step, { trace }: Input<'measured'>): void {
  const { state, pendingInput } = step;
  if (state.stage !== 'measuring') return;
  if (pendingInput !== null) return startTurn(step);
  state.progress = afterRound(state.progress, trace);
  if (!isWithoutProgress(state.progress, noProgressTurns(step))) return startTurn(step);
  const { unchanged } = state.progress ?? { unchanged: 0 };
  const turns = unchanged === 1 ? 'turn' : `${unchanged} turns`;
  const detail = `The last ${turns} changed no file and no commit, and tried nothing new.`;
  pause(step, 'no_progress', null, 'daemon', detail);
}

function noProgressTurns({ rules, policy }: Step): number {
  return rules.noProgressTurns ?? policy.noProgressTurns;
}

function test(step: Step): void {
  const { state } = step;
  enter(state, { ...NOTHING, stage: 'testing', status: 'TESTING' });
  state.reason = null;
  step.effects.push({ kind: 'test' });
}

function count(
  { state }: Step,
  { outputTokens, costUsd }: Pick<TurnUsage, 'outputTokens' | 'costUsd'>,
): void {
  state.outputTokens += outputTokens;
  state.costUsd += costUsd;
}
