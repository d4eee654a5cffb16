import type { WorkPhase } from '../../../shared/schema/runs/run-phase.ts';
import { fail, reachedLimit } from './ending.ts';
import { OPEN } from './fresh-run.ts';
import { contextStep, NEW_CONTEXT } from '../../supervision/context-step.ts';
import type { Message, RunState } from './run-state.ts';
import { holdForBudget, setInput, setPhase, type Step } from './step.ts';

const COMPACT: Message = { kind: 'compact', inputId: null };

/** Sends the next message: a person's input before anything else, within the limits. */
export function startTurn(step: Step): void {
  const { state, pendingInput, budget } = step;
  if (budget !== null && reachedLimit(state, step.options) === null) {
    return holdForBudget(step, budget);
  }
  if (pendingInput !== null) hearPerson(step);
  const limit = reachedLimit(state, step.options);
  if (limit !== null) return fail(step, limit, null);
  if (state.phase === 'complete') return;
  const phase = state.phase;
  const room = roomFor(step, phase);
  if (room === 'fresh') takeOver(step, phase);
  const message = room === 'compact' ? COMPACT : nextMessage(step, phase);
  if (pendingInput !== null) setInput(step, pendingInput, 'sending');
  if (phase === 'review' && (message.kind === 'open' || state.nonce === '')) {
    state.nonce = step.turnId;
  }
  state.turns = [...state.turns, phase];
  const spend = state.spent[phase];
  state.spent = { ...state.spent, [phase]: { ...spend, turns: spend.turns + 1 } };
  const turn = { id: step.turnId, number: state.turns.length, phase, message, process: null };
  state.now = { stage: 'talking', turn: { ...turn, heard: false } };
  step.effects.push({ kind: 'send' });
}

/**
 * What a conversation that is too full needs. A person does not wait for a compaction, and the
 * verdict alone is one line.
 */
function roomFor(step: Step, phase: WorkPhase): ReturnType<typeof contextStep> {
  const { state, policy, pendingInput } = step;
  if (state.conversations[phase] === null || state.next.kind === 'verdict') return 'none';
  const room = contextStep(state.contexts?.[phase] ?? NEW_CONTEXT, policy.context);
  return room === 'compact' && pendingInput !== null ? 'none' : room;
}

/** A visit of the phase that opens now says everything; else the message that was planned goes with it. */
function takeOver({ run, state, events }: Step, phase: WorkPhase): void {
  const percent = state.contexts?.[phase]?.percent ?? 0;
  events.push({ type: 'run.context', data: { run, phase, step: 'fresh', percent } });
  forgetConversation(state, phase);
  if (state.next.kind !== 'open') state.next = digestOf(state.next);
}

export function forgetConversation(state: RunState, phase: WorkPhase): void {
  state.conversations = { ...state.conversations, [phase]: null };
  state.contexts = { ...state.contexts, [phase]: NEW_CONTEXT };
}

/** What opens a new conversation in place of one in which that message was planned. */
export function digestOf(planned: Message): Message {
  const text = 'text' in planned ? { text: planned.text } : {};
  return { kind: 'digest', inputId: null, ...text };
}

/**
 * A reviewer only judges: what people say is for the agent that does the work. Their words give a
 * run that fails as many rounds again.
 */
function hearPerson(step: Step): void {
  const { state } = step;
  state.forgiven = { rounds: state.iteration, signatures: state.signatures.length };
  state.unchangedRounds = 0;
  if (state.phase !== 'review') return;
  setPhase(step, 'fix');
  state.next = OPEN;
}

/**
 * Nothing accompanies a person's input once the agent of the phase knows the work. A conversation
 * that was never heard of cannot be continued.
 */
function nextMessage({ state, pendingInput }: Step, phase: WorkPhase): Message {
  const isNew = state.conversations[phase] === null && state.next.kind !== 'digest';
  const planned = isNew ? OPEN : state.next;
  if (pendingInput === null) return planned;
  const kind = planned.kind === 'open' || planned.kind === 'digest' ? planned.kind : 'input';
  return { kind, inputId: pendingInput };
}
