import { oneLine } from '../../rules/text/plain-text.ts';
import { toolCallSubject } from '../../rules/tool-call.ts';
import type { EventData } from '../../schema/events/events.ts';

type Entry = Pick<
  EventData<'task.interaction'>,
  'type' | 'turn' | 'tool' | 'output_tokens' | 'preview'
>;

/** In characters; one less than an event has of a message, so that a cut one ends in an ellipsis. */
const LINE_LENGTH = 299;

/** One entry of the conversation of a task or a run; `name` is its name. */
export function interactionSentence(name: string, data: Entry): string {
  const { type, turn, tool, output_tokens: tokens } = data;
  // The last message of a turn is reported again when its usage is known.
  if (tokens !== null) return `Turn ${turn} of ${name} used ${tokens} output tokens`;
  const text = oneLine(data.preview, LINE_LENGTH);
  if (type === 'user_request') return `Input to ${name}: ${text}`;
  if (type === 'simulated_human') return `Automatic input to ${name}: ${text}`;
  if (tool === null) return `${name}: ${text}`;
  if (type === 'tool_result') return `${name}, result of ${tool}: ${text === '' ? 'empty' : text}`;
  const subject = oneLine(toolCallSubject(data.preview), LINE_LENGTH);
  return `${name} uses ${tool}${subject === '' ? '' : `: ${subject}`}`;
}
