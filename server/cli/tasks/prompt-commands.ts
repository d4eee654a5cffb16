/** `loopwatch prompt …`: reusable task descriptions. */
import type { Command } from 'commander';
import { oneLine, plainText } from '../../../shared/rules/text/plain-text.ts';
import type { Prompt } from '../../../shared/schema/tasks/prompt.ts';
import { request } from '../client.ts';
import { type Json, textArgument } from '../command-parts.ts';
import { findId } from '../find-id.ts';
import { type Output, printList } from '../print/output.ts';
import { print, printJson } from '../print/print.ts';
import { tableLines } from '../print/table.ts';

/** As many as one answer of the daemon holds. */
const ALL = '1000';
const MAX_LINE = 200;
const PROMPT = 'id, its first characters, or title';
const HEAD = ['prompt', 'title', 'used', 'category', 'tags'];

interface AddOptions extends Json {
  content: string;
  category?: string;
  tags?: string;
}

export function addPromptCommands(program: Command): void {
  const prompt = program.command('prompt');

  prompt
    .command('ls')
    .description('list prompts, most used first')
    .option('--search <text>', 'search in title, content and tags')
    .option('--category <name>', 'only this category')
    .option('-q, --quiet', 'print only the ids')
    .option('--json', 'output as JSON')
    .action(async (options: Output & { search?: string; category?: string }) => {
      const { search, category } = options;
      const prompts = await request('listPrompts', { query: { search, category, limit: ALL } });
      printList(prompts, options, { id: ({ id }) => id, lines: promptTable, none: 'no prompts' });
    });

  prompt
    .command('show')
    .description('show a prompt; pipe its --content into `task create --description -`')
    .argument('<prompt>', PROMPT)
    .option('--content', 'print only the text')
    .option('--json', 'output as JSON')
    .action(async (given: string, { content, json }: Json & { content?: boolean }) => {
      const shown = await request('getPrompt', { params: { id: await promptId(given) } });
      if (json === true) return printJson(shown);
      const words = plainText(shown.content);
      print(content === true ? [words] : [promptLine(shown), '', words]);
    });

  prompt
    .command('add')
    .description('save a prompt')
    .argument('<title>')
    .requiredOption('--content <text>', 'the text (- reads stdin, @FILE reads a file)')
    .option('--category <name>', 'category')
    .option('--tags <list>', 'comma-separated tags')
    .option('--json', 'output as JSON')
    .action(async (title: string, { content, json, ...more }: AddOptions) => {
      const body = { title, content: textArgument(content), ...more };
      const made = await request('createPrompt', { body });
      if (json === true) printJson(made);
      else print([promptLine(made)]);
    });

  prompt
    .command('delete')
    .description('remove a prompt')
    .argument('<prompt>', PROMPT)
    .action(async (given: string) => {
      const id = await promptId(given);
      await request('deletePrompt', { params: { id } });
      print([`${id}: removed`]);
    });
}

async function promptId(given: string): Promise<string> {
  const prompts = await request('listPrompts', { query: { limit: ALL } });
  return findId(
    given,
    prompts.map(({ id, title }) => ({ id, name: title })),
    'prompt',
  );
}

function promptTable(prompts: readonly Prompt[]): string[] {
  const cells = (prompt: Prompt) => [
    prompt.id,
    oneLine(prompt.title, MAX_LINE),
    String(prompt.usage_count),
    oneLine(prompt.category ?? '-', MAX_LINE),
    oneLine(prompt.tags ?? '-', MAX_LINE),
  ];
  return tableLines(HEAD, prompts.map(cells));
}

export function promptLine({ id, title, category, tags, usage_count }: Prompt): string {
  const about = [category, tags].filter((words) => words !== null && words !== '').join('; ');
  const used = usage_count === 1 ? 'used once' : `used ${usage_count} times`;
  const more = about === '' ? '' : `  [${oneLine(about, MAX_LINE)}]`;
  return `${id}  ${oneLine(title, MAX_LINE)}  ${used}${more}`;
}
