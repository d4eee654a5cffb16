/** What the daemon refused, in the words that were typed. */
import type { Argument, Command, Option } from 'commander';
import type { RefusedError } from './client.ts';

const MAX_VALUE = 80;

/** Where the API has another name than the shell. */
const TYPED: Readonly<Record<string, string>> = {
  argv: 'command',
  base_branch: 'base',
  branch_name: 'branch',
  cwd: 'dir',
  depends_on: 'after',
  end_criteria: 'criteria',
  except_reasons: 'quiet-except',
  from: 'quiet',
  images: 'image',
  input: 'text',
  lines: 'scrollback',
  new_name: 'name',
  project_context: 'context',
  root_folder: 'root',
  task_dir: 'dir',
  task_name: 'name',
  test_commands: 'test',
  time_zone: 'zone',
  to: 'quiet',
  url: 'webhook',
};

/** The message of `refused`, naming the option or argument of `command` that it is about. */
export function refusalText({ message, code, issue }: RefusedError, command: Command): string {
  const fields = issue?.field.split('.') ?? [];
  for (const [place, field] of fields.entries()) {
    const input = inputOf(command, field);
    if (input === null || issue === null) continue;
    const [name, given] = input;
    // Of an option that was repeated, the one that is wrong.
    const value: unknown = Array.isArray(given) ? given[Number(fields[place + 1])] : given;
    return `${name}: ${issue.message}${valueText(value)} (${code})`;
  }
  // A loop is named by its session; only its start needs nothing but that.
  const isLoop = command.parent?.name() === 'loop' && command.name() !== 'start';
  if (code !== 'session_unknown' || !isLoop) return message;
  const loop = JSON.stringify(command.processedArgs[0]);
  return `no loop named ${loop}; list loops with: loopwatch loop ls (${code})`;
}

/** As it is typed, and its value. */
function inputOf(command: Command, field: string): [name: string, value: unknown] | null {
  const snake = field.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
  const name = TYPED[snake] ?? snake.replaceAll('_', '-');
  const isNamed = (given: string) => given === name || `${given}s` === name;
  const option = command.options.find((each: Option) => isNamed(each.long?.slice(2) ?? ''));
  if (option !== undefined)
    return [option.long ?? '', command.getOptionValue(option.attributeName())];
  const arguments_: readonly Argument[] = command.registeredArguments;
  const place = arguments_.findIndex((each) => isNamed(each.name()));
  const argument = arguments_[place];
  return argument === undefined ? null : [`<${argument.name()}>`, command.processedArgs[place]];
}

function valueText(value: unknown): string {
  if (typeof value !== 'string' && typeof value !== 'number') return '';
  const text = JSON.stringify(String(value));
  return `, not ${text.length > MAX_VALUE ? `${text.slice(0, MAX_VALUE)}…"` : text}`;
}
