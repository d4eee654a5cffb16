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
    .description('where a person is needed, oldest first')
    .option('--all', 'what is over as well')
    .option('--subject <kind:id>', 'only about this, such as task:fix-login')
    .option('--json', 'as JSON')
    .action(async ({ all, subject, json }: ListOptions) => {
      const state = all === true ? ('all' as const) : ('open' as const);
      const query = { state, subject, limit: ALL };
      const { items } = await request('listAttention', { query });
      if (json === true) return printJson(items);
      if (items.length === 0) return print('nobody is needed');
      const now = Date.now();
      print(items.map((item) => attentionLines(item, now).join('\n')).join('\n\n'));
    });

  program
    .command('answer')
    .description('answer what an agent asks, without its terminal')
    .argument('<id>', 'as `loopwatch attention` shows it')
    .argument('<decision>', 'allow or deny')
    .option('--message <text>', 'what the agent is told with a deny')
    .option('--input <json>', 'allow it with another input: the same keys as asked')
    .option('--choose <label>', 'a label of the question; repeatable', collect, [])
    .option('--text <words>', 'an answer in words of your own; repeatable', collect, [])
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
  if (decision !== 'allow' && decision !== 'deny') throw usage('say allow or deny');
  const chosen = choose.length + text.length > 0;
  if (decision === 'deny' && (chosen || input !== undefined)) {
    throw usage('--choose, --text and --input go with allow');
  }
  if (decision === 'allow' && message !== undefined) throw usage('--message goes with deny');
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
