/** `loopwatch prompt …`: the library of prompts. */
import type { Command } from 'commander';
import { oneLine, plainText } from '../../../shared/rules/plain-text.ts';
import type { Prompt } from '../../../shared/schema/tasks/prompt.ts';
import { request } from '../client.ts';
import { type Json, textArgument } from '../command-parts.ts';
import { print, printJson } from '../print/print.ts';

const MAX_LINE = 200;

interface AddOptions extends Json {
  content: string;
  category?: string;
  tags?: string;
}

/** Takes the program; adds `prompt` with all its commands. */
export function addPromptCommands(program: Command): void {
  const prompt = program.command('prompt').description('manage reusable task descriptions');

  prompt
    .command('list', { isDefault: true })
    .description('list prompts, most used first')
    .option('--search <text>', 'search in title, content and tags')
    .option('--category <name>', 'only this category')
    .option('--json', 'output as JSON')
    .action(async ({ json, ...wanted }: Json & { search?: string; category?: string }) => {
      const prompts = await request('listPrompts', { query: { ...wanted, limit: '1000' } });
      if (json === true) printJson(prompts);
      else print(prompts.length === 0 ? ['no prompts'] : prompts.map(promptLine));
    });

  prompt
    .command('show')
    .description('show a prompt; pipe its --content into `task create --description -`')
    .argument('<id>', 'prompt id from `loopwatch prompt`')
    .option('--content', 'print only the text')
    .option('--json', 'output as JSON')
    .action(async (id: string, { content, json }: Json & { content?: boolean }) => {
      const shown = await request('getPrompt', { params: { id } });
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
    .argument('<id>')
    .action(async (id: string) => {
      await request('deletePrompt', { params: { id } });
      print([`${id}: removed`]);
    });
}

/** Takes a prompt; gives it as one line. */
export function promptLine({ id, title, category, tags, usage_count }: Prompt): string {
  const about = [category, tags].filter((words) => words !== null && words !== '').join('; ');
  const used = usage_count === 1 ? 'used once' : `used ${usage_count} times`;
  const more = about === '' ? '' : `  [${oneLine(about, MAX_LINE)}]`;
  return `${id}  ${oneLine(title, MAX_LINE)}  ${used}${more}`;
}
