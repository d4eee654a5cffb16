import type { Command } from 'commander';
import { createProgram, pathOf } from '../server/cli/cli.ts';
import { isHidden } from '../server/cli/command-parts.ts';
import { DEFAULT_VERB } from '../server/cli/current-spelling.ts';
import { EXAMPLES } from '../server/cli/examples.ts';
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
  outputClosed: 'The reader of the output has closed it, as with `SIGPIPE`.',
};

export async function cliPage(): Promise<string[]> {
  const program = await createProgram();
  return [
    '# Commands',
    '',
    'A command is a noun and a verb: `loopwatch loop start`. A noun alone lists. `npm link` puts `loopwatch` on the PATH; `node dist/server/main.js` is the same program. Commands find the daemon through `LOOPWATCH_HOME` and use the token of the home, or `LOOPWATCH_TOKEN`.',
    '',
    '- **Help**: `--help` after any command, or `loopwatch help loop start`. A misspelt command suggests the nearest one.',
    '- **For people**: lists are tables that fit the terminal; in a pipe nothing is cut. Output has no colours.',
    '- **For scripts**: `--json` (or `-o json`) prints one JSON document, `-o jsonl` one object per line of a list. [Exit codes](#exit-codes) distinguish results.',
    '- **For loops in a shell**: `ls -q` (`--quiet`) prints only the names or ids, one per line, as other commands take them:',
    '',
    '  ```sh',
    '  loopwatch loop ls -q | xargs -n 1 loopwatch loop stop',
    '  ```',
    '',
    '  In `alert add`, `--quiet` sets the quiet hours.',
    '- **Names and ids**: the first characters of an id are enough. Alerts and prompts also go by name or title.',
    '- **Times** are ISO 8601 with their offset, in the time zone of the shell, or in UTC with `--utc`. `session screen --at` accepts them.',
    '',
    'Earlier spellings keep working: `auto`, `why`, `history`, `restart`, `screen`, `attach`, `input`, `interrupt`, `record`, `answer`, `alerts` and `list` for `ls`.',
    '',
    ...program.commands
      .filter((command) => !isHidden(command))
      .flatMap((command) => commandText(command, [program.name()])),
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

/** A command and its subcommands; a group has no options of its own. */
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
  const verb = DEFAULT_VERB[pathOf(command)];
  const examples = EXAMPLES[pathOf(command)];
  return [
    `${'#'.repeat(path.length)} ${path.join(' ')}`,
    '',
    command.description(),
    '',
    ...(isGroup ? [] : ['```', usage, '```', '']),
    ...(verb === undefined ? [] : [`Alone, it means ${code(`${path.join(' ')} ${verb}`)}.`, '']),
    ...(inputs.length === 0 ? [] : [...table(['input', 'meaning'], inputs), '']),
    ...(examples === undefined ? [] : ['```sh', ...examples, '```', '']),
    ...command.commands.flatMap((child) => commandText(child, path)),
  ];
}
