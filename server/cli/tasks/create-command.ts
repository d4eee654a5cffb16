/** `loopwatch task create`: describe work, and let it begin. */
import type { Command } from 'commander';
import { DEFAULT_TASK_ITERATIONS } from '../../../shared/schema/tasks/end-criteria.ts';
import { request } from '../client.ts';
import {
  collect,
  type Json,
  parseCost,
  parseCount,
  parseTaskName,
  parseTokens,
  readWords,
} from '../command-parts.ts';
import { type CreateOptions, parsePriority, taskBody } from './parse-task-options.ts';
import { taskLines } from './print-task.ts';
import { print, printJson } from '../print/print.ts';
import { timeIn, UTC_OPTION, type Zoned } from '../print/time-text.ts';

/** Takes the `task` command; adds `create` to it. */
export function addCreateCommand(task: Command): void {
  task
    .command('create')
    .description('describe a task; its worktree is made at once')
    .argument('<name>', 'letters, digits, - and _', parseTaskName)
    .requiredOption('--description <text>', 'what to do; - reads it from stdin, @FILE from a file')
    .option('--root <dir>', 'the repository; default: this directory')
    .option('--branch <name>', 'the branch to work on; default: task/NAME')
    .option('--base <name>', 'where the branch begins; default: what is checked out')
    .option('--no-worktree', 'work in the directory itself')
    .option('--context <text>', 'what to know of the project; - or @FILE')
    .option('--criteria <text>', 'when it is done; - or @FILE')
    .option(
      '--max-iterations <n>',
      `turns at most; default: ${DEFAULT_TASK_ITERATIONS}`,
      parseCount,
    )
    .option('--max-tokens <n>', 'tokens of output at most', parseTokens)
    .option('--max-cost <usd>', 'US dollars at most', parseCost)
    .option('--max-minutes <n>', 'minutes at work at most', parseCount)
    .option('--gate <name=command>', 'must end with 0 before it is done; repeatable', collect, [])
    .option('--test <command>', 'how it is tested; repeatable; default: found out', again)
    .option('--no-tests', 'run no tests of the project')
    .option(
      '--project <path[:read]>',
      'another repository; :read to let it be; repeatable',
      collect,
      [],
    )
    .option('--priority <n>', '-100 to 100, higher first; default: 0', parsePriority)
    .option('--after <name>', 'begin when that task is completed; repeatable', collect, [])
    .option('--permission-mode <mode>', 'default, acceptEdits, plan or bypassPermissions')
    .option('--start', 'begin as soon as its turn comes')
    .option('--json', 'as JSON')
    .addOption(UTC_OPTION)
    .action(async (name: string, { json, utc, ...options }: CreateOptions & Json & Zoned) => {
      const body = taskBody(name, options, process.cwd(), readWords);
      const made = await request('createTask', { body });
      if (json === true) return printJson(made);
      print(taskLines(made, timeIn({ utc })));
      if (options.start !== true) print([`  begin: loopwatch task start ${name}`]);
    });
}

function again(value: string, before: readonly string[] | undefined): string[] {
  return collect(value, before ?? []);
}
