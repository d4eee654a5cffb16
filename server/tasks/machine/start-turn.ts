/** What is dispatched next: a turn, in this conversation or a new one, or the verdict on the last. */
import { contextStep, NEW_CONTEXT } from '../../supervision/context-step.ts';
import { exhaust, reachedLimit } from './ending.ts';
import { enter, holdForBudget, setInput, type Step } from './step.ts';
import { type Message, NOTHING } from './task-state.ts';

const START: Message = { kind: 'start', inputId: null, text: null };
const COMPACT: Message = { kind: 'compact', inputId: null, text: null };

/**
 * Sends the next message: a person's input before anything else, within the limits. A conversation
 * that is too full is compacted first, or taken over by a new one.
 */
export function startTurn(step: Step): void {
  const { state, pendingInput } = step;
  if (state.isUnjudged && pendingInput === null) return judge(step);
  const limit = reachedLimit(state, step.rules.limits);
  if (limit !== null) return exhaust(step, limit);
  if (step.budget !== null) return holdForBudget(step, step.budget);
  const room = roomFor(step);
  if (room === 'fresh') return takeOver(step);
  const message = room === 'compact' ? COMPACT : nextMessage(step);
  if (pendingInput !== null) {
    setInput(step, pendingInput, 'sending');
    // What a person says is a new beginning.
    state.progress = null;
  }
  work(step, 'talking');
  state.claim = null;
  state.isUnjudged = false;
  state.turns += 1;
  state.turn = { id: step.turnId, number: state.turns, message, process: null, heard: false };
  step.effects.push({ kind: 'send' });
}

/** Asks a model about the last reply: a dispatch like any other. */
export function judge(step: Step): void {
  const { state, budget, effects } = step;
  state.isUnjudged = budget !== null;
  if (budget !== null) return holdForBudget(step, budget);
  work(step, 'judging');
  effects.push({ kind: 'judge' });
}

/** The next turn begins a new conversation, with the end of the old one in its first message. */
export function forgetConversation({ state }: Step, planned: string | null = null): void {
  state.conversationId = null;
  state.context = NEW_CONTEXT;
  state.isBriefed = false;
  state.isUnjudged = false;
  state.next = { kind: 'digest', inputId: null, text: planned };
}

/** A person does not wait for a compaction: their input goes first. */
function roomFor({ state, policy, pendingInput }: Step): ReturnType<typeof contextStep> {
  if (state.conversationId === null) return 'none';
  const room = contextStep(state.context, policy.context);
  return room === 'compact' && pendingInput !== null ? 'none' : room;
}

/** What was done is read first; the message that was to be sent goes with it. */
function takeOver(step: Step): void {
  const { task, state } = step;
  const percent = state.context.percent ?? 0;
  step.events.push({ type: 'task.context', data: { task, step: 'fresh', percent } });
  forgetConversation(step, state.next.text);
  work(step, 'preparing');
  step.effects.push({ kind: 'prepare' });
}

function work({ state }: Step, stage: 'preparing' | 'talking' | 'judging'): void {
  enter(state, { ...NOTHING, stage, status: 'RUNNING' });
  state.reason = null;
}

/** Nothing accompanies a person's input once the agent knows the task. */
function nextMessage({ state, pendingInput }: Step): Message {
  const planned = state.isBriefed || state.next.kind === 'digest' ? state.next : START;
  if (pendingInput === null) return planned;
  const said = { inputId: pendingInput, text: null };
  const isOpening = planned.kind === 'digest' || planned.kind === 'start';
  return isOpening ? { ...planned, ...said } : { kind: 'input', ...said };
}
