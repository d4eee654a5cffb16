/** One turn of a task: its message, its directories, and what its end means to the machine. */
import type { EventDraft } from '../../../shared/schema/events/events.ts';
import type { Interaction } from '../../../shared/schema/tasks/interaction.ts';
import { taskReply } from '../../policy/reply/task-reply.ts';
import { RecordedTurn } from '../../turns/recorded-turn.ts';
import type { TurnEnd } from '../../turns/turn-owner.ts';
import { completionClaim } from '../criteria/completion-claim.ts';
import type { ParsedReply, MachineInput } from '../machine/task-state.ts';
import { summaryOf } from '../messages/summary.ts';
import type { EffectOptions } from './task-supervisor-options.ts';
import { taskWork } from './task-usage.ts';
import { turnMessage } from './turn-message.ts';
import { workDirectories } from './work-directories.ts';

/** Characters of an interaction shown in an event. */
const PREVIEW = 300;

/** Throws when no process could be started; then nothing has run. */
export function sendTurn(options: EffectOptions): RecordedTurn {
  const { plan, state } = options.record();
  const turn = taskTurn(options);
  turn.send({
    ...workDirectories(options),
    conversationId: state.conversationId,
    permissionMode: plan.permissionMode,
  });
  return turn;
}

/** The turn of the state, begun by this daemon or an earlier one. */
export function taskTurn(options: EffectOptions): RecordedTurn {
  const { record, apply } = options;
  const { id, name, state } = record();
  const { turn } = state;
  if (turn === null) throw new Error('the task has no turn');
  return new RecordedTurn({
    ...options,
    turn,
    message: turnMessage(options, turn.message),
    owner: {
      id,
      work: taskWork(record()),
      interactionEvent: (interaction) => interactionEvent(name, interaction),
      spawned: (process) => apply({ kind: 'spawned', process }),
      heard: (conversationId, more) => apply({ kind: 'heard', conversationId }, more),
      ended: (end, more) => apply(inputFrom(options, end), more),
    },
  });
}

function inputFrom(options: EffectOptions, end: TurnEnd): MachineInput {
  if (end.ok) {
    const { text, usage, context } = end;
    const said = parsedReply(options, text);
    return { kind: 'replied', said, usage, summary: summaryOf(text), ...known(context) };
  }
  const { ok: _, ...rest } = end;
  return { kind: 'turn_failed', ...rest };
}

function known(context: TurnEnd['context']): Pick<TurnEnd, 'context'> {
  return context === undefined ? {} : { context };
}

function parsedReply({ interactions, record }: EffectOptions, text: string): ParsedReply {
  const { id, state } = record();
  const previous = interactions.lastReplies(id, 3);
  const reply = taskReply(text, { iteration: state.iterations, previous });
  return { text, claim: completionClaim(text), reply };
}

function interactionEvent(task: string, interaction: Interaction): EventDraft {
  const { id, type, turn, tool, content, output_tokens, cost_usd } = interaction;
  const preview = content.slice(0, PREVIEW);
  const data = { task, id, type, turn, tool, preview, output_tokens, cost_usd };
  return { type: 'task.interaction', data };
}
