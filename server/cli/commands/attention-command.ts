/** `loopwatch attention` and `loopwatch answer`: where a person is needed, and their word on it. */
import type { Command } from 'commander';
import type { AttentionAnswer } from '../../../shared/schema/attention.ts';
import { outcomeText } from '../../../shared/words/attention-text.ts';
import { request } from '../client.ts';
import { collect, usage } from '../command-parts.ts';
import { parseChoices } from '../parse-choices.ts';
import { attentionLines } from '../print/print-attention.ts';
import { print, printJson } from '../print/print.ts';

/** As many as one answer of the daemon holds. */
const ALL = '1000';

interface ListOptions {
  all?: boolean;
  subject?: string;
  json?: boolean;
}

interface AnswerOptions {
  message?: string;
  input?: string;
  choose: string[];
  text: string[];
}

export function addAttentionCommands(program: Command): void {
  program
    .command('attention')
    .description('list what needs your attention, oldest first')
    .option('--all', 'include cleared items')
    .option('--subject <kind:id>', 'only items of this subject, e.g. task:fix-login')
    .option('--json', 'output as JSON')
    .action(async ({ all, subject, json }: ListOptions) => {
      const state = all === true ? ('all' as const) : ('open' as const);
      const query = { state, subject, limit: ALL };
      const { items } = await request('listAttention', { query });
      if (json === true) return printJson(items);
      if (items.length === 0) return print('nothing needs you');
      const now = Date.now();
      print(items.map((item) => attentionLines(item, now).join('\n')).join('\n\n'));
    });

  program
    .command('answer')
    .description("answer an agent's request")
    .argument('<id>', 'item id from `loopwatch attention`')
    .argument('<decision>', 'allow or deny')
    .option('--message <text>', 'message to the agent, with deny')
    .option('--input <json>', 'allow with a changed input (same keys as the request)')
    .option('--choose <label>', 'choose this option of the question (repeatable)', collect, [])
    .option('--text <text>', 'answer with your own text (repeatable)', collect, [])
    .action(async (id: string, decision: string, options: AnswerOptions) => {
      const body = await answerOf(id, decision, options);
      print(outcomeText(await request('answerAttention', { params: { id }, body })));
    });
}

async function answerOf(
  id: string,
  decision: string,
  { message, input, choose, text }: AnswerOptions,
): Promise<AttentionAnswer> {
  if (decision !== 'allow' && decision !== 'deny')
    throw usage('the decision must be allow or deny');
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
    // Told below, as any other value that is no object.
  }
  throw usage('--input is not a JSON object');
}
