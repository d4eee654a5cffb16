/** What was said in a task as lines for a person; none of it reaches the terminal raw. */
import { oneLine, plainText } from '../../../shared/rules/text/plain-text.ts';
import { countText } from '../../../shared/words/count-text.ts';
import type {
  Interaction,
  InteractionType,
  ToolGroup,
} from '../../../shared/schema/tasks/interaction.ts';
import type { TaskInput } from '../../../shared/schema/tasks/task-input.ts';
import type { TimeText } from '../print/time-text.ts';

/** What is needed of an interaction to print it; a stream has no more. */
export type Said = Pick<Interaction, 'id' | 'type' | 'content' | 'timestamp'> &
  Partial<Pick<Interaction, 'tool' | 'is_error' | 'author'>>;

const WHO: Record<InteractionType, string> = {
  user_request: 'user',
  claude_response: 'agent',
  simulated_human: 'Loopwatch to the agent',
  tool_result: 'tool',
  system_message: 'Loopwatch',
};

const MAX_LINE = 200;
/** The results of tools are long, and rarely what is looked for. */
const MAX_TOOL_LINES = 10;

/** Who, when and the text; a group of tool calls is one line. */
export function conversationLines(entry: Said | ToolGroup, time: TimeText): string[] {
  if (entry.type === 'tool_group') {
    const { first_timestamp, tool_count, summary } = entry;
    const calls = countText(tool_count, 'tool');
    return [`${time(first_timestamp)}  ${calls}: ${oneLine(summary, MAX_LINE)}`];
  }
  const { id, type, content, timestamp, tool, is_error, author } = entry;
  const who = whoText(type, author ?? WHO[type], tool ?? '');
  const failed = is_error === true ? ' (failed)' : '';
  const lines = plainText(content).trimEnd().split('\n');
  const shown = type === 'tool_result' ? lines.slice(0, MAX_TOOL_LINES) : lines;
  const left = lines.length - shown.length;
  return [
    `${time(timestamp)}  #${id} ${oneLine(who, MAX_LINE)}${failed}`,
    ...shown.map((line) => `  ${line}`.trimEnd()),
    ...(left === 0 ? [] : [`  … ${countText(left, 'more line')}`]),
  ];
}

/** Delivery, author and the beginning of the text. */
export function taskInputLine({ id, state, author, images, input_preview, interrupt }: TaskInput) {
  const whose = author === null ? '' : ` from ${oneLine(author, MAX_LINE)}`;
  const attached = images === 0 ? '' : `, ${countText(images, 'image')}`;
  const now = interrupt ? ', interrupts' : '';
  return `${id}  ${state}${whose}${now}${attached}: ${oneLine(input_preview, MAX_LINE)}`;
}

function whoText(type: InteractionType, who: string, tool: string): string {
  if (tool === '') return who;
  return type === 'tool_result' ? `tool ${tool}` : `${who} calls ${tool}`;
}
