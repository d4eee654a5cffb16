/** `loopwatch task create`: describe work, and let it begin. */
import { type Command, Option } from 'commander';
import { DEFAULT_TASK_ITERATIONS } from '../../../shared/schema/tasks/end-criteria.ts';
import { PermissionMode } from '../../../shared/schema/tasks/permission-mode.ts';
import { request } from '../client.ts';
import {
  choices,
  collect,
  type Json,
  parseCost,
  parseTaskName,
  textArgument,
  wholeNumber,
} from '../command-parts.ts';
import { type CreateOptions, taskBody } from './parse-task-options.ts';
import { taskLines } from './print-task.ts';
import { print, printJson } from '../print/print.ts';
import { timeIn, UTC_OPTION, type Zoned } from '../print/time-text.ts';

export function addCreateCommand(task: Command): void {
  task
    .command('create')
    .description('create a task and its worktree')
    .argument('<name>', 'letters, digits, - and _', parseTaskName)
    .requiredOption('--description <text>', 'what to do (- reads stdin, @FILE reads a file)')
    .option('--root <dir>', 'repository (default: this directory)')
    .option('--branch <name>', 'branch to work on (default: task/NAME)')
    .option('--base <name>', 'base of the branch (default: what is checked out)')
    .option('--no-worktree', 'work in the directory itself, without a worktree')
    .option('--context <text>', 'project context for the agent (- or @FILE)')
    .option('--criteria <text>', 'criteria for when it is done (- or @FILE)')
    .option(
      '--max-iterations <n>',
      `maximum turns (default: ${DEFAULT_TASK_ITERATIONS})`,
      wholeNumber(1, 1_000),
    )
    .option('--max-tokens <n>', 'maximum output tokens', wholeNumber(1, 1_000_000_000))
    .option('--max-cost <usd>', 'maximum cost in US dollars', parseCost)
    .option('--max-minutes <n>', 'maximum minutes of work', wholeNumber(1, 100_000))
    .option(
      '--max-unchanged-turns <n>',
      'pause after so many turns in a row without progress; 0 is never',
      wholeNumber(0, 1_000),
    )
    .option(
      '--gate <name=command>',
      'command that must exit with 0 before it is done (repeatable)',
      collect,
      [],
    )
    .option('--test <command>', 'test command (repeatable; default: detected)', again)
    .option('--no-tests', "do not run the project's tests")
    .option(
      '--project <path[:read]>',
      'another repository; :read makes it read-only (repeatable)',
      collect,
      [],
    )
    .option('--priority <n>', '-100 to 100, higher first (default: 0)', wholeNumber(-100, 100))
    .option('--after <task>', 'start after this task completes (repeatable)', addTaskName, [])
    .addOption(
      choices(
        new Option('--permission-mode <mode>', "the client's permission mode"),
        PermissionMode.options,
      ),
    )
    .option('--host <name>', 'host of the fleet to create it on; any: the one that suits it best')
    .option('--label <label>', 'only on a host with this label (repeatable)', collect, [])
    .option('--id <uuid>', 'id of the task: the same command with the same id creates it once')
    .option('--start', 'start it as soon as a slot is free')
    .option('--json', 'output as JSON')
    .addOption(UTC_OPTION)
    .action(async (name: string, { json, utc, ...options }: CreateOptions & Json & Zoned) => {
      const body = taskBody(name, options, process.cwd(), textArgument);
      const made = await request('createTask', { body });
      if (json === true) return printJson(made);
      print(taskLines(made, timeIn({ utc })));
    });
}

function addTaskName(value: string, before: readonly string[]): string[] {
  return collect(parseTaskName(value), before);
}

function again(value: string, before: readonly string[] | undefined): string[] {
  return collect(value, before ?? []);
}
