/**
 * The command line: its commands, and how each ends. What only one command needs and is slow to load
 * (the daemon, the database, the checks) is imported when that command runs.
 */
import { type Argument, Command, CommanderError, Help, Option } from 'commander';
import { messageOf } from '../lib/app-error.ts';
import { packageVersion } from '../lib/package-root.ts';
import { loadCommands, summaryOf } from './command-groups.ts';
import { choices, collect, usage } from './command-parts.ts';
import { EXAMPLES } from './examples.ts';
import { CliError, ExitCode, exitCodeOf } from './exit-code.ts';
import { refusalText } from './refusal-text.ts';
import { RefusedError } from './client.ts';
import { currentSpelling, DEFAULT_VERB, withoutOld } from './current-spelling.ts';
import { FORMATS } from './print/output.ts';
import { notice, noticeRaw, printRaw } from './print/print.ts';
import { suggestVerb, upToUnknown } from './suggest-verb.ts';
import { runExitCode } from './runs/run-exit.ts';

/** More are not listed in the help. */
const MAX_CHOICES = 8;

/** Runs the words after the program's name; gives the exit code. Never throws. */
export async function runCli(words: readonly string[]): Promise<number> {
  // The first word as it is spelt today, for example "loop" for "why".
  const program = await createProgram(withoutOld(words)[0] ?? '--help');
  let running = program;
  program.hook('preAction', (_, command) => {
    running = command;
  });
  try {
    await parse(program, words);
    return ExitCode.ok;
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? ExitCode.ok : ExitCode.usage;
    notice(error instanceof RefusedError ? refusalText(error, running) : messageOf(error));
    return pathOf(running).startsWith('run ') ? runExitCode(error) : exitCodeOf(error);
  }
}

/** Rejects with a CommanderError or CliError; the words after the program's name are in any spelling. */
export async function parse(program: Command, words: readonly string[]): Promise<void> {
  const full = currentSpelling(words);
  // Commander shows the help of what is above an unknown command, as if nothing was wrong.
  const isHelp = full.includes('--help') || full.includes('-h');
  const named = upToUnknown(program, full);
  if (named?.at(-1) === '') throw usage('<command>: must not be empty');
  const unknown = isHelp ? named : null;
  await program.parseAsync(unknown ?? full, { from: 'user' });
}

/** The commands that begin with that word, or every command; runs none. */
export async function createProgram(word?: string): Promise<Command> {
  const program = new Command('loopwatch')
    .description('Supervise autonomous coding agents')
    .version(packageVersion(), '-V, --version', 'print the version')
    .configureOutput({ writeOut: printRaw, writeErr: noticeRaw, outputError })
    .showHelpAfterError('see the help: loopwatch --help')
    .helpCommand(false)
    .configureHelp({ optionDescription })
    .exitOverride();
  program
    .command('help')
    .description('show the help of a command')
    .argument('[command...]')
    .action(async (words: string[]) => help(program, words));
  for (const addCommands of await loadCommands(word)) addCommands(program);
  for (const command of program.commands) {
    if (command.description() === '') command.description(summaryOf(command.name()));
    if (command.commands.length > 0) suggestVerb(command);
    const verb = DEFAULT_VERB[command.name()];
    const usual = `loopwatch ${command.name()} ${verb ?? ''}`;
    if (verb !== undefined) command.addHelpText('after', `\nWithout a command: ${usual}`);
  }
  for (const leaf of leavesOf(program)) finish(leaf);
  return program;
}

async function help(program: Command, words: readonly string[]): Promise<void> {
  const full = withoutOld(words);
  const unknown = upToUnknown(program, full);
  // It fails there, with the nearest one.
  if (unknown !== null) {
    await program.parseAsync(unknown, { from: 'user' });
    return;
  }
  let command = program;
  for (const word of full) {
    const child = command.commands.find((each) => each.name() === word);
    if (child === undefined) {
      const path = pathOf(command);
      throw usage(`"${path}" has no command "${word}"; see: loopwatch ${path} --help`);
    }
    command = child;
  }
  command.outputHelp();
}

/** One prefix for all errors. */
function outputError(text: string, write: (text: string) => void): void {
  write(text.replace(/^error: /, 'loopwatch: '));
}

/** Every command that does something, also the hidden ones. */
export function leavesOf(command: Command): Command[] {
  return command.commands.length === 0 ? [command] : command.commands.flatMap(leavesOf);
}

/** As it is typed, without the name of the program: `loop start`. */
export function pathOf(command: Command): string {
  const { parent } = command;
  if (parent === null) return '';
  return `${pathOf(parent)} ${command.name()}`.trim();
}

/** Without what no reader needs: the empty list of an option that repeats, a list of many choices. */
function optionDescription(option: Option): string {
  const text = new Help()
    .optionDescription(option)
    .replace(/( \(|, )default: \[\]/, '$1')
    .replace(' ()', '');
  return (option.argChoices?.length ?? 0) > MAX_CHOICES
    ? text.replace(/ ?\(choices: .*\)$/, '')
    : text;
}

/** What all commands have: the way to their help, formats where they print JSON, and examples. */
function finish(command: Command): void {
  command.showHelpAfterError(`see the help: loopwatch ${pathOf(command)} --help`);
  if (command.options.some(({ long }) => long === '--json')) {
    command
      .addOption(choices(new Option('-o, --output <format>', 'output format'), FORMATS))
      .on('option:output', (word: string) => command.setOptionValue('json', word !== 'table'));
  }
  for (const option of command.options) {
    if (option.required || option.optional) checkValue(option, option.long ?? option.flags);
  }
  for (const argument of command.registeredArguments) checkValue(argument, `<${argument.name()}>`);
  const examples = EXAMPLES[pathOf(command)] ?? [];
  if (examples.length === 0) return;
  command.addHelpText('after', `\nExamples:\n${examples.map((line) => `  $ ${line}\n`).join('')}`);
}

/** Words of another program, a line to complete, texts with an answer of their own to an empty one. */
const MAY_BE_EMPTY = ['<argv>', '<words>', '<text>'];

/**
 * A person sees which of the words was wrong. An empty one is often a variable that is not set, and
 * would mean the current directory as a path.
 */
function checkValue(input: Option | Argument, name: string): void {
  const { parseArg: parse } = input;
  const isList = 'variadic' in input && input.variadic;
  input.argParser((text: string, before: unknown): unknown => {
    if (text === '' && !MAY_BE_EMPTY.includes(name)) throw usage(`${name}: must not be empty`);
    if (parse === undefined) {
      return isList ? collect(text, (before as string[] | undefined) ?? []) : text;
    }
    try {
      return parse(text, before);
    } catch (error) {
      if (!(error instanceof CliError)) throw error;
      throw new CliError(error.exitCode, `${name}: ${error.message}`);
    }
  });
}
