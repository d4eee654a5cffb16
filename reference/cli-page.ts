import type { Command } from 'commander';
import { createProgram } from '../server/cli/cli.ts';
import { ExitCode } from '../server/cli/exit-code.ts';
import { code, table } from './table.ts';

const EXIT_CODES: Record<keyof typeof ExitCode, string> = {
  ok: 'Done. `task wait`: completed.',
  failed: 'Failed.',
  usage: 'Wrong usage, or input the daemon refuses as invalid.',
  notRunning: 'No daemon is running.',
  notFound: 'Not found: a session, task, file, directory or branch.',
  taskFailed: '`task wait`: the task failed.',
  taskExhausted: '`task wait`: the task reached a limit.',
  taskStopped: '`task wait`: the task was stopped.',
  personNeeded: '`task wait`: the task needs a person.',
  portInUse: 'The port is in use.',
  storage: 'The disk or the database cannot be used.',
  alreadyRunning: 'A daemon already runs on this home.',
  config: 'A setting is not valid, the token is wrong, or the database is damaged.',
  outputClosed: 'The reader of the output is gone, as with `SIGPIPE`.',
};

export function cliPage(): string[] {
  const program = createProgram();
  return [
    '# Commands',
    '',
    'Every command takes `--help`. `npm link` puts `loopwatch` on the PATH; `node dist/server/main.js` is the same program. Commands find the daemon through `LOOPWATCH_HOME` and use the token of the home, or `LOOPWATCH_TOKEN`.',
    '',
    'Times are ISO 8601 with their offset, in the time zone of the shell, or in UTC with `--utc`; `screen --at` accepts them. Output with `--json` is for scripts.',
    '',
    ...program.commands.flatMap((command) => commandText(command, [program.name()])),
    '## Exit codes',
    '',
    ...table(
      ['code', 'meaning'],
      Object.entries(ExitCode).map(([name, number]) => [
        String(number),
        EXIT_CODES[name as keyof typeof ExitCode],
      ]),
    ),
  ];
}

/** A command and those below it; a group has no options of its own. */
function commandText(command: Command, parents: readonly string[]): string[] {
  const help = command.createHelp();
  const path = [...parents, command.name()];
  const inputs = [
    ...command.registeredArguments.map((argument) => [
      code(help.argumentTerm(argument)),
      help.argumentDescription(argument),
    ]),
    ...command.options
      .filter(({ hidden }) => !hidden)
      .map((option) => [code(help.optionTerm(option)), help.optionDescription(option)]),
  ];
  const usage = [path.join(' '), command.usage()].join(' ');
  const isGroup = command.commands.length > 0;
  const defaultName = command.commands.find((child) => isDefault(command, child))?.name();
  return [
    `${'#'.repeat(path.length)} ${path.join(' ')}`,
    '',
    command.description(),
    '',
    ...(isGroup ? [] : ['```', usage, '```', '']),
    ...(defaultName === undefined ? [] : [`Without a subcommand: ${code(defaultName)}.`, '']),
    ...(inputs.length === 0 ? [] : [...table(['input', 'meaning'], inputs), '']),
    ...command.commands.flatMap((child) => commandText(child, path)),
  ];
}

/** Commander keeps the name of the default subcommand to itself. */
function isDefault(command: Command, child: Command): boolean {
  return (command as { _defaultCommandName?: string | null })._defaultCommandName === child.name();
}
