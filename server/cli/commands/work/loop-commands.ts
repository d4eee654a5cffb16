/** `loopwatch loop …`: loops, from their start to their history. */
import { basename, resolve } from 'node:path';
import { type Command, Option } from 'commander';
import { formatDuration } from '../../../../shared/words/format-duration.ts';
import { plainText } from '../../../../shared/rules/text/plain-text.ts';
import { sinceText } from '../../../../shared/words/work/loop-text.ts';
import { OWN_PERMISSIONS } from '../../../../shared/words/work/permissions-text.ts';
import { reasonText } from '../../../../shared/words/reason-text.ts';
import {
  DEFAULT_MAX_ITERATIONS,
  DEFAULT_TIMEOUT_MINUTES,
  MAX_ITERATIONS,
  MAX_TIMEOUT_MINUTES,
} from '../../../../shared/rules/loops/loop-limits.ts';
import { LoopPermissions } from '../../../../shared/schema/loops/loop-permissions.ts';
import type { Loop } from '../../../../shared/schema/model.ts';
import type { RequestOf } from '../../../../shared/endpoints/call-types.ts';
import { RefusedError, request } from '../../client.ts';
import { choices, parseSessionName, usage, wholeNumber } from '../../command-parts.ts';
import { addHistoryCommands } from './loop-history-commands.ts';
import { type Output, printList, printOne } from '../../print/output.ts';
import { notice } from '../../print/print.ts';
import { Progress } from '../../print/progress.ts';
import { tableLines } from '../../print/table.ts';
import { timeIn, type TimeText, UTC_OPTION, type Zoned } from '../../print/time-text.ts';

const MAX_NAME = 32;
const HEAD = ['session', 'status', 'why', 'iteration', 'time', 'step', 'directory'];

interface Limits {
  maxIterations?: number;
  timeoutMinutes?: number;
}

interface StartOptions extends Output {
  session?: string;
  maxIterations: number;
  timeoutMinutes: number;
  permissions?: LoopPermissions;
}

export function addLoopCommands(program: Command): void {
  const loop = program.command('loop');
  addListCommands(loop);

  loop
    .command('start')
    .description('start a loop on a task directory')
    .argument('<dir>', 'the task directory')
    .option('--session <name>', 'use this session (default: open a new one)', parseSessionName)
    .option(
      '--max-iterations <n>',
      'stop after this many iterations',
      wholeNumber(1, MAX_ITERATIONS),
      DEFAULT_MAX_ITERATIONS,
    )
    .option(
      '--timeout-minutes <n>',
      'stop after this many minutes',
      wholeNumber(1, MAX_TIMEOUT_MINUTES),
      DEFAULT_TIMEOUT_MINUTES,
    )
    .addOption(
      choices(
        new Option(
          '--permissions <what>',
          'what the agent may do without asking: nothing that changes something, edit the project and run its own commands, or everything (Claude Code only; default: LOOPWATCH_LOOP_PERMISSIONS)',
        ),
        LoopPermissions.options,
      ),
    )
    .option('--json', 'output as JSON')
    .action(async (directory: string, options: StartOptions) => {
      const taskDir = resolve(directory);
      const { session, maxIterations, timeoutMinutes, permissions } = options;
      const body = { taskDir, maxIterations, timeoutMinutes, permissions };
      const opened = session === undefined ? await openSession(taskDir) : null;
      const id = session ?? opened ?? '';
      try {
        const begun = await startLoop(id, body);
        printOne(begun, options, () => `${id}: ${begun.status} on ${plainText(taskDir)}`);
        if (opened !== null && opened !== sessionName(taskDir)) {
          const taken = sessionName(taskDir);
          notice(`${taken} is another session; to run there, pass --session ${taken}`);
        }
      } catch (error) {
        if (opened !== null) await request('deleteSession', { params: { id } });
        throw error;
      }
    });

  loop
    .command('stop')
    .description('stop a loop, or remove a failed one')
    .argument('<session>')
    .option('--json', 'output as JSON')
    .action(async (id: string, options: Output) => {
      const stopped = await request('stopAuto', { params: { id } });
      printOne(stopped, options, () => `${id}: ${stopped.status}`);
    });

  loop
    .command('limits')
    .description('change the limits of a running loop')
    .argument('<session>')
    .option('--max-iterations <n>', 'new iteration limit', wholeNumber(1, MAX_ITERATIONS))
    .option(
      '--timeout-minutes <n>',
      'new time limit in minutes',
      wholeNumber(1, MAX_TIMEOUT_MINUTES),
    )
    .option('--json', 'output as JSON')
    .addOption(UTC_OPTION)
    .action(async (id: string, options: Output & Zoned & Limits) => {
      const { maxIterations, timeoutMinutes } = options;
      if (maxIterations === undefined && timeoutMinutes === undefined)
        throw usage('name a new limit with --max-iterations or --timeout-minutes');
      const body = { maxIterations, timeoutMinutes };
      const loop = await request('changeLimits', { params: { id }, body });
      printOne(loop, options, () => loopLines(loop, timeIn(options)));
    });

  loop
    .command('lookup')
    .description('find the session that works on a task directory')
    .argument('<dir>')
    .option('--project <dir>', 'what a relative directory is relative to', '.')
    .option('--json', 'output as JSON')
    .action(async (directory: string, options: Output & { project: string }) => {
      const query = { taskDir: directory, project: resolve(options.project) };
      const found = await request('lookupAuto', { query });
      printOne(found, options, () => `${found.session_name} ${found.status}`);
    });

  addHistoryCommands(loop);
}

function addListCommands(loop: Command): void {
  loop
    .command('ls')
    .description('list loops')
    .option('-q, --quiet', 'print only the sessions')
    .option('--json', 'output as JSON')
    .addOption(UTC_OPTION)
    .action(async (options: Output & Zoned) => {
      const { loops } = await request('listAuto', {});
      printList(loops, options, {
        id: ({ session_name }) => session_name,
        lines: (rows) =>
          tableLines(
            HEAD,
            rows.map((row) => cells(row, timeIn(options))),
          ),
        none: 'no loops',
      });
    });

  loop
    .command('show')
    .description('show a loop: status, limits, last step and what it waits for')
    .argument('<session>')
    .option('--json', 'output as JSON')
    .addOption(UTC_OPTION)
    .action(async (id: string, options: Output & Zoned) => {
      const shown = await request('getAuto', { params: { id } });
      printOne(shown, options, () => loopLines(shown, timeIn(options)));
    });
}

function cells(loop: Loop, time: TimeText): string[] {
  const { wait, iteration, max_iterations, elapsed_seconds, timeout_seconds } = loop;
  const reason = wait?.reason ?? (loop.status === 'failed' ? loop.stop_reason : null);
  const until = wait?.until == null ? '' : untilText(loop, wait.until, time);
  return [
    loop.session_name,
    loop.status,
    reason === null ? '-' : `${reasonText(reason).label}${until}`,
    `${iteration ?? 0}/${max_iterations ?? 0}`,
    `${formatDuration(elapsed_seconds ?? 0)}/${formatDuration(timeout_seconds ?? 0)}`,
    loop.step ?? '-',
    plainText(loop.task_dir ?? '-'),
  ];
}

/** A crash is over; what has a time is the restart. */
function untilText({ status }: Loop, until: string, time: TimeText): string {
  return `${status === 'restart_wait' ? ', restarts at' : ' until'} ${time(until)}`;
}

/** Status, limits, last step, and what it waits for or why it failed. */
export function loopLines(loop: Loop, time: TimeText): string[] {
  if (loop.status === 'stopped') return [`${loop.session_name}: no loop`];
  const elapsed = formatDuration(loop.elapsed_seconds ?? 0);
  const limit = formatDuration(loop.timeout_seconds ?? 0);
  const since = loop.status_since === null ? '' : ` since ${time(loop.status_since)}`;
  const lines = [
    `${loop.session_name}: ${loop.status}${since}  ${plainText(loop.task_dir ?? '')}`,
    `  iteration ${loop.iteration ?? 0} of ${loop.max_iterations ?? 0}, ${elapsed} of ${limit}`,
  ];
  lines.push(`  permissions: ${loop.permissions ?? OWN_PERMISSIONS}`);
  if (loop.step !== null) {
    lines.push(`  last step ${loop.step} ${loop.result ?? ''}, next ${loop.next ?? ''}`);
  }
  if (loop.wait !== null) {
    const { reason, since, until, next } = loop.wait;
    const end = until === null ? '' : ` until ${time(until)}`;
    lines.push(
      `  ${sinceText(reason).toLowerCase()} ${time(since)}${end}: ${reasonText(reason).label}. ${next}`,
    );
  }
  if (loop.status === 'failed' && loop.stop_reason !== null) {
    const { label, next } = reasonText(loop.stop_reason);
    lines.push(`  ${label}: ${loop.error ?? ''}`, `  ${next}`);
  }
  return lines;
}

/** Waits for the agent to come to the foreground. */
async function startLoop(id: string, body: RequestOf<'startAuto'>['body']) {
  using progress = new Progress();
  progress.show(`waiting for the agent to start in ${id}`);
  return await request('startAuto', { params: { id }, body });
}

function sessionName(taskDir: string): string {
  return (
    basename(taskDir)
      .replaceAll(/[^A-Za-z0-9_-]+/g, '-')
      .slice(0, MAX_NAME) || 'loop'
  );
}

/** Opens a session named after the directory, with a number appended when the name is taken. */
async function openSession(taskDir: string): Promise<string> {
  const stem = sessionName(taskDir);
  for (let number = 1; ; number += 1) {
    const ending = number === 1 ? '' : `-${number}`;
    const name = stem.slice(0, MAX_NAME - ending.length) + ending;
    try {
      return (await request('createSession', { body: { name, cwd: taskDir } })).name;
    } catch (error) {
      if (!(error instanceof RefusedError) || error.code !== 'session_exists') throw error;
    }
  }
}
