/** One turn of a run: its message, its directory, and what its end means to the machine. */
import type { EventDraft } from '../../../shared/schema/events/events.ts';
import type { WorkPhase } from '../../../shared/schema/runs/run-phase.ts';
import type { Interaction } from '../../../shared/schema/tasks/interaction.ts';
import { taskReply } from '../../policy/reply/task-reply.ts';
import { RecordedTurn } from '../../turns/recorded-turn.ts';
import type { TurnEnd } from '../../turns/turn-owner.ts';
import { failureSignature } from '../machine/failure-signature.ts';
import type { MachineInput, ParsedReply, RunTurn } from '../machine/run-state.ts';
import { agentPlan } from '../messages/agent-plan.ts';
import { reviewVerdict } from '../messages/review-verdict.ts';
import { planDirectory } from '../plan-file.ts';
import { ownerOf, type RunRecord } from '../stores/run-record.ts';
import { COMPACT, CONTINUE, runMessage } from './run-message.ts';
import { isWork, runPermissions } from './run-permissions.ts';
import type { EffectOptions } from './run-supervisor-options.ts';
import { runWork } from './run-usage.ts';
import { workDirectory } from './work-place.ts';

/** Characters of an interaction shown in an event. */
const PREVIEW = 300;
/** Earlier replies that a repetition is measured against. */
const PREVIOUS = 3;
/** Interactions that are searched for a plan, the newest ones. */
const PLAN_ENTRIES = 200;

/** Throws when no process could be started; then nothing has run. */
export function sendTurn(options: EffectOptions, turn: RunTurn): RecordedTurn {
  const { request, state, id } = options.record();
  const { phase } = turn;
  const wanted = request.options.phases[phase];
  const model = wanted?.model ?? request.options.model ?? undefined;
  const works = isWork(phase);
  const cwd = workDirectory(options);
  const recorded = runTurn(options, turn);
  recorded.send({
    cwd,
    // Where the items of the plan are ticked.
    others: works ? [planDirectory(options.home, id)] : [],
    conversationId: state.conversations[phase],
    ...runPermissions(phase, request.options, cwd),
    ...(model === undefined ? {} : { model }),
  });
  return recorded;
}

/** The turn of the state, begun by this daemon or an earlier one. */
export function runTurn(options: EffectOptions, turn: RunTurn): RecordedTurn {
  const { record, apply, interactions } = options;
  const { id } = record();
  const owner = ownerOf(id);
  return new RecordedTurn({
    ...options,
    turn,
    message: runMessage(options, turn),
    owner: {
      id: owner,
      work: runWork(record()),
      interactionEvent: (interaction) => {
        const turns = turnsOf(record(), turn.phase);
        const index = interactions.countBefore(owner, turns, interaction.id);
        return interactionEvent(id, turn.phase, index, interaction);
      },
      spawned: (process) => apply({ kind: 'spawned', process }),
      heard: (conversationId, more) => apply({ kind: 'heard', conversationId }, more),
      ended: (end, more) => apply(inputFrom(options, turn, end), more),
    },
  });
}

/** The numbers of the turns of a phase. */
function turnsOf({ state }: RunRecord, phase: WorkPhase): number[] {
  return state.turns.flatMap((each, index) => (each === phase ? [index + 1] : []));
}

export function interactionEvent(
  run: string,
  phase: WorkPhase,
  index: number,
  interaction: Interaction,
): EventDraft {
  const { id, type, turn, tool, content, output_tokens, cost_usd } = interaction;
  const preview = content.slice(0, PREVIEW);
  const data = { run, index, phase, id, type, turn, tool, preview, output_tokens, cost_usd };
  return { type: 'run.interaction', data };
}

function inputFrom(options: EffectOptions, turn: RunTurn, end: TurnEnd): MachineInput {
  if (end.ok) {
    const { ok: _, text, ...rest } = end;
    return { kind: 'replied', said: parsed(options, turn, text), ...rest };
  }
  const { ok: _, ...rest } = end;
  return { kind: 'turn_failed', ...rest };
}

function parsed(options: EffectOptions, { number, phase }: RunTurn, text: string): ParsedReply {
  const { interactions, record } = options;
  const { id, state } = record();
  const owner = ownerOf(id);
  const review = reviewVerdict(text, state.nonce);
  return {
    text,
    plan: phase === 'plan' ? agentPlan(sinceAsked(options), text) : '',
    review: { ...review, signature: failureSignature({ findings: review.findings }) },
    question: questionAt(text, {
      iteration: number,
      previous: interactions.lastReplies(owner, PREVIOUS),
    }),
  };
}

/**
 * What was said since the planner was asked: a turn that broke off, such as by an overload, may have
 * written the plan that the turn which continues it only names.
 */
function sinceAsked({ interactions, record }: EffectOptions): Interaction[] {
  const { id, state } = record();
  const newest = interactions.page(ownerOf(id), { limit: PLAN_ENTRIES });
  const ofPlan = newest.filter(({ turn }) => state.turns[turn - 1] === 'plan');
  const asked = ofPlan.findLastIndex(
    ({ type, content }) =>
      type === 'user_request' ||
      (type === 'simulated_human' && content !== CONTINUE && content !== COMPACT),
  );
  return ofPlan.slice(asked + 1);
}

/** A turn that ends without a question is the end of its phase. */
function questionAt(
  text: string,
  context: { iteration: number; previous: string[] },
): ParsedReply['question'] {
  const reply = taskReply(text, context);
  if (reply.kind === 'person') return reply;
  const asks = reply.why === 'choice' || reply.why === 'yes_no' || reply.why === 'open';
  return asks ? { kind: 'reply', text: reply.text } : null;
}
