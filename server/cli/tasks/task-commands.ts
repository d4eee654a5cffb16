/** `loopwatch task …`: described work, from its creation to its diff. */
import { type Command, Option } from 'commander';
import { TaskStatus } from '../../../shared/schema/tasks/task-status.ts';
import { request } from '../client.ts';
import {
  choices,
  type Json,
  parseCost,
  parseTaskName,
  usage,
  wholeNumber,
} from '../command-parts.ts';
import { addCreateCommand } from './create-command.ts';
import { addMergeCommand } from './merge-command.ts';
import { taskLines, taskTable, testLines } from './print-task.ts';
import { diffLines } from './print-work.ts';
import { addRemovalCommands } from './removal-commands.ts';
import { addConversationCommands } from './conversation-commands.ts';
import { addWaitCommand } from './wait-command.ts';
import { type Output, printList } from '../print/output.ts';
import { print, printJson, printRaw } from '../print/print.ts';
import { timeIn, UTC_OPTION, type Zoned } from '../print/time-text.ts';

/** As many as one answer of the daemon holds. */
const ALL = '1000';

/** `finished`: the criteria were met. */
const STATUSES = [...TaskStatus.options, 'FINISHED'].map((word) => word.toLowerCase());

interface RetryOptions extends Json {
  iterations?: number;
  tokens?: number;
  cost?: number;
  minutes?: number;
}

const STEPS = [
  ['start', 'startTask', 'start a pending task as soon as a slot is free'],
  ['stop', 'stopTask', 'stop a task; branch, worktree and conversation are kept'],
  ['resume', 'resumeTask', 'resume a stopped or completed task'],
  ['recover', 'recoverTask', 'continue in a new conversation seeded with the end of the old one'],
] as const;

export function addTaskCommands(program: Command): void {
  const task = program.command('task');
  addCreateCommand(task);
  addListCommands(task);
  for (const [word, endpoint, description] of STEPS) {
    task
      .command(word)
      .description(description)
      .argument('<task>', '', parseTaskName)
      .option('--json', 'output as JSON')
      .action(async (name: string, { json }: Json) => {
        const begun = await request(endpoint, { params: { name } });
        if (json === true) printJson(begun);
        else print([`${name}: ${begun.status}`]);
      });
  }
  addAgainCommands(task);
  addConversationCommands(task);
  addWorkCommands(task);
  addMergeCommand(task);
  addWaitCommand(task);
  addRemovalCommands(task);
}

function addListCommands(task: Command): void {
  task
    .command('ls')
    .description('list tasks, newest first')
    .addOption(
      choices(new Option('--status <status>', 'only tasks with this status'), STATUSES).argParser(
        statusOf,
      ),
    )
    .option('-q, --quiet', 'print only the names')
    .option('--json', 'output as JSON')
    .action(async ({ status, ...options }: Output & { status?: string }) => {
      const query = { limit: ALL, ...(status === undefined ? {} : { status }) };
      printList(await request('listTasks', { query }), options, {
        id: ({ task_name }) => task_name,
        lines: taskTable,
        none: 'no tasks',
      });
    });

  task
    .command('show')
    .description('show a task: status, reason, usage and next steps')
    .argument('<task>', '', parseTaskName)
    .option('--json', 'output as JSON')
    .addOption(UTC_OPTION)
    .action(async (name: string, { json, utc }: Json & Zoned) => {
      const shown = await request('getTask', { params: { name } });
      if (json === true) printJson(shown);
      else print(taskLines(shown, timeIn({ utc })));
    });
}

function addAgainCommands(task: Command): void {
  task
    .command('retry')
    .description('continue a task that reached a limit, with a higher limit')
    .argument('<task>', '', parseTaskName)
    .option('--iterations <n>', 'additional turns (default: 10)', wholeNumber(1, 1_000))
    .option('--tokens <n>', 'additional output tokens', wholeNumber(1, 1_000_000_000))
    .option('--cost <usd>', 'additional US dollars', parseCost)
    .option('--minutes <n>', 'additional minutes of work', wholeNumber(1, 100_000))
    .option('--json', 'output as JSON')
    .action(async (name: string, { json, ...more }: RetryOptions) => {
      const query = {
        additional_iterations: asText(more.iterations),
        additional_tokens: asText(more.tokens),
        additional_cost_usd: asText(more.cost),
        additional_minutes: asText(more.minutes),
      };
      const begun = await request('retryTask', { params: { name }, query });
      if (json === true) return printJson(begun);
      print([`${name}: ${begun.status}, at most ${begun.new_limits.max_iterations} turns`]);
    });

  task
    .command('clone')
    .description('create a pending task with the same description')
    .argument('<task>', '', parseTaskName)
    .option('--name <name>', 'name of the new task (default: generated)', parseTaskName)
    .option('--json', 'output as JSON')
    .addOption(UTC_OPTION)
    .action(async (name: string, options: Json & Zoned & { name?: string }) => {
      const { json, utc, name: new_name } = options;
      const query = new_name === undefined ? {} : { new_name };
      const made = await request('cloneTask', { params: { name }, query });
      if (json === true) printJson(made);
      else print(taskLines(made.task, timeIn({ utc })));
    });
}

function addWorkCommands(task: Command): void {
  task
    .command('diff')
    .description('show what a task changed on its branch')
    .argument('<task>', '', parseTaskName)
    .option('--stat', 'only list the files')
    .option('--raw', 'print the unescaped patch for git apply (may contain terminal control codes)')
    .option('--json', 'output as JSON')
    .action(async (name: string, options: Json & { stat?: boolean; raw?: boolean }) => {
      const diffs = await request('getTaskDiff', { params: { name } });
      const { projects } = diffs;
      if (options.json === true) return printJson(diffs);
      if (options.raw === true) {
        return printRaw(projects.map(({ patch }) => patch).join(''));
      }
      const lines = projects.flatMap((diff) => diffLines(diff, options.stat !== true));
      print(lines.length === 0 ? ['no changes'] : lines);
    });

  task
    .command('tests')
    .description("show the results of a task's tests and gates")
    .argument('<task>', '', parseTaskName)
    .option('--json', 'output as JSON')
    .action(async (name: string, { json }: Json) => {
      const { test_cases } = await request('getTask', { params: { name } });
      if (json === true) printJson(test_cases);
      else print(testLines(test_cases));
    });
}

/** In any case. */
function statusOf(word: string): string {
  if (STATUSES.includes(word.toLowerCase())) return word;
  throw usage(`"${word}" is not one of ${STATUSES.join(', ')}`);
}

function asText(count: number | undefined): string | undefined {
  return count === undefined ? undefined : String(count);
}
