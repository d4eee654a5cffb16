/** `loopwatch task say|inputs|log`: input for a task, and its conversation. */
import { readFileSync } from 'node:fs';
import { extname } from 'node:path';
import type { Command } from 'commander';
import type { Conversation } from '../../../shared/schema/tasks/interaction.ts';
import type { TaskImage } from '../../../shared/schema/tasks/task-input.ts';
import { messageOf } from '../../lib/app-error.ts';
import { plainText } from '../../../shared/rules/text/plain-text.ts';
import { request } from '../client.ts';
import {
  collect,
  type Json,
  parseTaskName,
  textArgument,
  usage,
  wholeNumber,
} from '../command-parts.ts';
import { followTask } from './follow-task.ts';
import { statusText } from './print-task.ts';
import { conversationLines, taskInputLine } from './print-conversation.ts';
import { notice, print, printJson } from '../print/print.ts';
import { timeIn, UTC_OPTION, type Zoned } from '../print/time-text.ts';

const MEDIA_TYPES: Record<string, TaskImage['media_type']> = {
  '.png': 'image/png',
  '.jpg': 'image/jpeg',
  '.jpeg': 'image/jpeg',
  '.gif': 'image/gif',
  '.webp': 'image/webp',
};

interface LogOptions extends Json, Zoned {
  limit: number;
  all?: boolean;
  tools?: boolean;
  follow?: boolean;
}

export function addConversationCommands(task: Command): void {
  task
    .command('say')
    .description('send an input to a task; it is delivered once, before any automatic prompt')
    .argument('<task>', '', parseTaskName)
    .argument('<text>', 'the text (- reads stdin)')
    .option('--now', 'interrupt the current turn so that it is delivered immediately')
    .option('--resume', 'resume the task with it if it is stopped or completed')
    .option('--image <file>', 'attach a PNG, JPEG, GIF or WebP image (repeatable)', collect, [])
    .option('--json', 'output as JSON')
    .action(
      async (
        name: string,
        text: string,
        options: Json & { now?: boolean; resume?: boolean; image: string[] },
      ) => {
        const images = options.image.map(readImage);
        const body = {
          input: text === '-' ? textArgument(text) : text,
          interrupt: options.now === true,
          resume: options.resume === true,
          ...(images.length === 0 ? {} : { images }),
        };
        const sent = await request('sendTaskInput', { params: { name }, body });
        if (options.json === true) return printJson(sent);
        const mark = sent.id === null ? '' : `${sent.id}  `;
        print([`${mark}${plainText(sent.message)}`]);
      },
    );

  task
    .command('inputs')
    .description('list the inputs of a task and their delivery')
    .argument('<task>', '', parseTaskName)
    .option('--cancel <id>', 'cancel an input that was not sent yet')
    .option('--json', 'output as JSON')
    .action(async (name: string, { cancel, json }: Json & { cancel?: string }) => {
      if (cancel !== undefined) {
        await request('cancelTaskInput', { params: { name, input: cancel } });
        return print([`${cancel}: cancelled`]);
      }
      const queue = await request('getTaskInputs', { params: { name } });
      if (json === true) return printJson(queue);
      const { total_inputs, pending_inputs, queue_preview } = queue;
      if (total_inputs === 0) return print(['no inputs']);
      print([`${pending_inputs} of ${total_inputs} pending`, ...queue_preview.map(taskInputLine)]);
    });

  task
    .command('log')
    .description('show the conversation of a task')
    .argument('<task>', '', parseTaskName)
    .option('--limit <n>', 'show only the newest n entries', wholeNumber(1, 1000), 50)
    .option('--all', 'show everything from the beginning')
    .option('--tools', 'show each tool call and its result')
    .option('--follow', 'follow until the task ends')
    .option('--json', 'as JSON, one entry per line')
    .addOption(UTC_OPTION)
    .action(log);
}

async function log(name: string, options: LogOptions): Promise<void> {
  const { limit, all, tools, follow, json } = options;
  const time = timeIn(options);
  const printEntry = (entry: Conversation['conversation'][number]) =>
    json === true ? printJson(entry) : print(conversationLines(entry, time));
  let last = 0;
  for await (const page of pages(name, { limit, isWhole: all === true, tools: tools === true })) {
    if (page.total === 0 && json !== true && follow !== true) print(['no conversation yet']);
    page.conversation.forEach(printEntry);
    last = Math.max(last, ...page.conversation.flatMap(idsOf));
  }
  if (follow !== true) return;
  const stop = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stop.abort());
  for await (const followed of followTask(name, last, { signal: stop.signal, notice })) {
    if (json === true) printJson('said' in followed ? followed.said : followed);
    else if ('said' in followed) print(conversationLines(followed.said, time));
    else print([`-- ${statusText(followed.status)}`]);
  }
}

/** The newest page alone, or all of them from the first. */
async function* pages(
  name: string,
  { limit, isWhole, tools }: { limit: number; isWhole: boolean; tools: boolean },
): AsyncGenerator<Conversation, void, void> {
  for (let cursor: number | null = 0; cursor !== null;) {
    const place = isWhole ? { after: String(cursor) } : { limit: String(limit) };
    const query = { collapse_tools: String(!tools), ...place };
    const page: Conversation = await request('getConversation', { params: { name }, query });
    yield page;
    cursor = isWhole ? page.next : null;
  }
}

function idsOf(entry: Conversation['conversation'][number]): number[] {
  return entry.type === 'tool_group' ? entry.tools.map(({ id }) => id) : [entry.id];
}

function readImage(file: string): TaskImage {
  const media_type = MEDIA_TYPES[extname(file).toLowerCase()];
  if (media_type === undefined)
    throw usage(`--image: "${file}" is not a .png, .jpg, .gif or .webp file`);
  try {
    return { base64: readFileSync(file).toString('base64'), media_type };
  } catch (error) {
    throw usage(`--image: cannot read "${file}": ${messageOf(error)}`);
  }
}
