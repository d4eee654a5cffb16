/**
 * The command line: its commands, and how each ends. What only one command needs and is slow to load
 * (the daemon, the database, the checks) is imported when that command runs.
 */
import { Command, CommanderError, Help, type Option } from 'commander';
import { messageOf } from '../lib/app-error.ts';
import { packageVersion } from '../lib/package-root.ts';
import { usage } from './command-parts.ts';
import { addAlertCommands } from './commands/alert-commands.ts';
import { addAttentionCommands } from './commands/attention-commands.ts';
import { addBackupCommands } from './commands/backup-commands.ts';
import { addClassifyCommand } from './commands/classify-command.ts';
import { addDaemonCommands } from './commands/daemon-commands.ts';
import { addDemoCommand } from './commands/demo-command.ts';
import { addLoopCommands } from './commands/loop-commands.ts';
import { addPeopleCommands } from './commands/people-commands.ts';
import { addRespawnCommands } from './commands/respawn-commands.ts';
import { addSessionCommands } from './commands/session-commands.ts';
import { addWatchCommand } from './commands/watch-command.ts';
import { addCompletionCommands } from './completion/completion-commands.ts';
import { EXAMPLES } from './examples.ts';
import { CliError, ExitCode, exitCodeOf } from './exit-code.ts';
import { currentSpelling, withoutOld } from './current-spelling.ts';
import { FORMATS } from './print/output.ts';
import { notice, noticeRaw, printRaw } from './print/print.ts';
import { addServiceCommand } from './service/service-command.ts';
import { addStepCommands } from './commands/step-command.ts';
import { addPromptCommands } from './tasks/prompt-commands.ts';
import { addTaskCommands } from './tasks/task-commands.ts';

/** Runs the words after the program's name; gives the exit code. Never throws. */
export async function runCli(words: readonly string[]): Promise<number> {
  try {
    await createProgram().parseAsync(currentSpelling(words), { from: 'user' });
    return ExitCode.ok;
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? ExitCode.ok : ExitCode.usage;
    notice(messageOf(error));
    return exitCodeOf(error);
  }
}

/** Every command with its words; runs none. */
export function createProgram(): Command {
  const program = new Command('loopwatch')
    .description('Supervise autonomous coding agents')
    .version(packageVersion(), '-V, --version', 'print the version')
    .configureOutput({ writeOut: printRaw, writeErr: noticeRaw, outputError })
    .showHelpAfterError('see the help: add --help')
    .helpCommand(false)
    .configureHelp({ optionDescription })
    .exitOverride();
  program
    .command('help')
    .description('show the help of a command')
    .argument('[command...]')
    .action((words: string[]) => help(program, words));
  addDaemonCommands(program);
  addSessionCommands(program);
  addLoopCommands(program);
  addRespawnCommands(program);
  addTaskCommands(program);
  addPromptCommands(program);
  addAttentionCommands(program);
  addAlertCommands(program);
  addPeopleCommands(program);
  addWatchCommand(program);
  addDemoCommand(program);
  addClassifyCommand(program);
  addStepCommands(program);
  addBackupCommands(program);
  addServiceCommand(program);
  addCompletionCommands(program);
  for (const leaf of leavesOf(program)) finish(leaf);
  return program;
}

function help(program: Command, words: readonly string[]): void {
  let command = program;
  for (const word of withoutOld(words)) {
    const child = command.commands.find((each) => each.name() === word);
    if (child === undefined)
      throw usage(`unknown command "${words.join(' ')}"; see: loopwatch --help`);
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

/** An option that repeats starts with an empty list, which no reader needs to know. */
function optionDescription(option: Option): string {
  return new Help().optionDescription(option).replace(' (default: [])', '');
}

/** What all commands have: formats where they print JSON, and examples. */
function finish(command: Command): void {
  if (command.options.some(({ long }) => long === '--json')) {
    command
      .option('-o, --output <format>', `output as ${FORMATS.join(', ')}`, formatOf)
      .on('option:output', (word: string) => command.setOptionValue('json', word !== 'table'));
  }
  const examples = EXAMPLES[pathOf(command)] ?? [];
  if (examples.length === 0) return;
  command.addHelpText('after', `\nExamples:\n${examples.map((line) => `  $ ${line}\n`).join('')}`);
}

function formatOf(word: string): string {
  if ((FORMATS as readonly string[]).includes(word)) return word;
  throw new CliError(ExitCode.usage, `"${word}" is not one of ${FORMATS.join(', ')}`);
}
