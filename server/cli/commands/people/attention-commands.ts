/** `loopwatch attention …`: the inbox, and answers to it. */
import { Argument, type Command } from 'commander';
import type {
  AttentionAnswer,
  AttentionItem,
} from '../../../../shared/schema/attention/attention.ts';
import { outcomeText } from '../../../../shared/words/attention-text.ts';
import { request } from '../../client.ts';
import { choices, collect, parseSubject, usage } from '../../command-parts.ts';
import { parseChoices } from '../../parse-choices.ts';
import { findId } from '../../find-id.ts';
import { type Output, printList } from '../../print/output.ts';
import { attentionLines, attentionTable } from '../../print/print-attention.ts';
import { print } from '../../print/print.ts';

/** As many as one answer of the daemon holds. */
const ALL = '1000';
const NOTHING = 'nothing needs you';

type Decision = AttentionAnswer['decision'];

interface ListOptions extends Output {
  all?: boolean;
  subject?: string;
}

interface AnswerOptions {
  message?: string;
  input?: string;
  choose: string[];
  text: string[];
}

export function addAttentionCommands(program: Command): void {
  const attention = program.command('attention');

  attention
    .command('ls')
    .description('list what needs you, oldest first')
    .option('--all', 'include cleared items')
    .option('--subject <kind:id>', 'only items of this subject, e.g. task:fix-login', parseSubject)
    .option('-q, --quiet', 'print only the ids')
    .option('--json', 'output as JSON')
    .action(async (options: ListOptions) => {
      printList(await listItems(options), options, {
        id: ({ id }) => id,
        lines: (items) => attentionTable(items, Date.now()),
        none: NOTHING,
      });
    });

  attention
    .command('show')
    .description('show what needs you in full, with the commands that answer it')
    .argument('[item]', 'id or its first characters (default: all open items)')
    .option('--all', 'include cleared items')
    .option('--subject <kind:id>', 'only items of this subject, e.g. task:fix-login', parseSubject)
    .option('--json', 'output as JSON')
    .action(async (given: string | undefined, options: ListOptions) => {
      const all = given !== undefined || options.all === true;
      const items = await listItems({ ...options, all });
      const id = given === undefined ? null : findId(given, items, 'item');
      const { loops } = await request('listAuto', {});
      const failed = new Set(
        loops.filter(({ status }) => status === 'failed').map((loop) => loop.session_name),
      );
      printList(
        items.filter((item) => id === null || item.id === id),
        options,
        {
          id: (item) => item.id,
          lines: (shown) => [
            shown.map((item) => attentionLines(item, Date.now(), failed).join('\n')).join('\n\n'),
          ],
          none: NOTHING,
        },
      );
    });

  attention
    .command('answer')
    .description("answer an agent's request")
    .argument('<item>', 'id from `loopwatch attention ls`, or its first characters')
    .addArgument(choices(new Argument('<decision>'), ['allow', 'deny']))
    .option('--message <text>', 'message to the agent, with deny')
    .option('--input <json>', 'allow with a changed input (same keys as the request)')
    .option('--choose <label>', 'choose this option of the question (repeatable)', collect, [])
    .option('--text <text>', 'answer with your own text (repeatable)', collect, [])
    .action(async (given: string, decision: Decision, options: AnswerOptions) => {
      const id = findId(given, await listItems({ all: true }), 'item');
      const body = await answerOf(id, decision, options);
      print(outcomeText(await request('answerAttention', { params: { id }, body })));
    });
}

async function listItems({ all, subject }: ListOptions): Promise<AttentionItem[]> {
  const state = all === true ? ('all' as const) : ('open' as const);
  return (await request('listAttention', { query: { state, subject, limit: ALL } })).items;
}

async function answerOf(
  id: string,
  decision: Decision,
  { message, input, choose, text }: AnswerOptions,
): Promise<AttentionAnswer> {
  const chosen = choose.length + text.length > 0;
  if (decision === 'deny' && (chosen || input !== undefined)) {
    throw usage('--choose, --text and --input require allow');
  }
  if (decision === 'allow' && message !== undefined) throw usage('--message requires deny');
  const item = chosen ? await request('getAttention', { params: { id } }) : null;
  const questions = item?.request?.questions;
  return {
    decision,
    ...(message === undefined ? {} : { message }),
    ...(input === undefined ? {} : { input: parseInput(input) }),
    // Without a request there is nothing to choose from, and the daemon says why.
    ...(questions === undefined ? {} : { answers: parseChoices(questions, choose, text) }),
  };
}

function parseInput(text: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) {
      return value as Record<string, unknown>;
    }
  } catch {
    // Reported below, like any value that is not an object.
  }
  throw usage('--input is not a JSON object');
}
