/**
 * `loopwatch step …`: what the agent of a loop would otherwise have to remember, as commands on the
 * files of a task module. Needs no daemon.
 */
import { join, resolve } from 'node:path';
import { type Command, Option } from 'commander';
import { LOOP_STEPS } from '../../../../shared/rules/loops/loop-steps.ts';
import { type Guide, GUIDES, readGuide } from '../../../agents/launch/plugin-directory.ts';
import { createModule } from '../../../modules/create-module.ts';
import { finishStep } from '../../../modules/finish-step.ts';
import { firstStep } from '../../../modules/first-step.ts';
import { excludeTransientFiles, workingTree } from '../../../modules/module-git.ts';
import { readLock } from '../../../modules/module-lock.ts';
import { readModuleSignal } from '../../../modules/module-signal.ts';
import { readStopRequest } from '../../../modules/stop-request.ts';
import { ownWorktree, TARGET_FILE } from '../../../modules/task-module.ts';
import { choices, textArgument, usage, wholeNumber } from '../../command-parts.ts';
import { CliError, ExitCode } from '../../exit-code.ts';
import { printOne } from '../../print/output.ts';
import { checkLines, doneLines, entryLines, statusLines } from '../../print/print-step.ts';
import { print, printJson } from '../../print/print.ts';
import {
  callerEnvironment,
  currentRun,
  existing,
  type InModule,
  inModule,
  now,
  requireModule,
  unreadableIndex,
} from '../../step/in-module.ts';
import { addLockCommands } from '../../step/lock-commands.ts';
import { systemClock } from '../../../lib/clock.ts';
import { readConfig } from '../../../lib/config/config.ts';
import { COMMANDS_FILE, findChecks, runChecks } from '../../../modules/project-checks.ts';

interface DoneOptions extends InModule {
  step: string;
  result: string;
  checkpoint: string;
  completed?: number;
}

export function addStepCommands(program: Command): void {
  const step = program.command('step');

  inModule(step, 'entry')
    .description('print where the loop of a task directory starts or continues')
    .action(printEntry);
  inModule(step, 'done')
    .description('report a finished step in .auto-signal and print the next one')
    .requiredOption('--step <step>', `the finished step: ${LOOP_STEPS.join(', ')}`)
    .requiredOption('--result <result>', "how it ended, such as PASS or '(done)'")
    .option('--checkpoint <checkpoint>', 'where it was: post-plan, mid-exec or post-exec', '')
    .option('--completed <n>', 'steps of the plan that are done', wholeNumber(0, 999_999))
    .action(reportDone);
  inModule(step, 'stop-requested')
    .description('exit with 0 and say why when the loop must stop, with 1 when it may continue')
    .action(printStopRequest);
  inModule(step, 'status')
    .description('show status, progress, last signal, lock and stop request of a task directory')
    .action(printStatus);
  inModule(step, 'init')
    .description('make a task directory; never overwrites one')
    .option('--target <text>', 'what to do; "-" reads stdin, "@FILE" a file')
    .action(init);
  addLockCommands(step);
  addCheckCommand(step);
  inModule(step, 'guide')
    .description('print how a step is done')
    .addOption(choices(new Option('--step <step>', 'the step'), GUIDES).makeOptionMandatory())
    .action((options: InModule & { step: Guide }) => {
      const text = readGuide(options.step, resolve(options.dir));
      printOne({ step: options.step, text }, options, () => text.trimEnd());
    });
}

function printEntry(options: InModule): void {
  const directory = existing(options.dir);
  const entry = firstStep(directory, requireModule(directory), currentRun());
  if ('refused' in entry) {
    const next = `fill ${join(directory, TARGET_FILE)}, then start again`;
    throw new CliError(ExitCode.failed, `${entry.refused}; ${next}`);
  }
  printOne(entry, options, () => entryLines(entry));
}

async function reportDone(options: DoneOptions): Promise<void> {
  const { dir, step, result, checkpoint, completed: completedSteps = null } = options;
  const directory = existing(dir);
  const report = { step, result, checkpoint, completedSteps };
  const done = finishStep(directory, report, now(), currentRun());
  if ('refused' in done) {
    const allowed = done.allowed.map((word) => word || 'no checkpoint').join(', ');
    throw usage(`${done.refused}; allowed: ${allowed}; nothing was written`);
  }
  if ('unreadable' in done) throw unreadableIndex(directory, done.unreadable);
  await excludeTransientFiles(directory, callerEnvironment());
  const { signal, route } = done;
  const { next, iteration } = signal;
  const line = { step, result, next, checkpoint: signal.checkpoint, iteration };
  printOne(line, options, () => doneLines(signal, route));
}

function printStopRequest({ dir, json }: InModule): void {
  const stop = readStopRequest(existing(dir));
  if (json === true) printJson({ stop });
  if (stop === null) throw new CliError(ExitCode.failed, 'no stop is requested; continue');
  const since = stop.timestamp === null ? '' : ` since ${stop.timestamp}`;
  if (json !== true) print(`stop requested: ${stop.reason}${since}`);
}

function printStatus(options: InModule): void {
  const directory = existing(options.dir);
  const lock = readLock(directory);
  const status = {
    ...requireModule(directory),
    signal: readModuleSignal(directory),
    lock:
      lock.kind === 'held' ? { pid: lock.by.pid, run: lock.by.run, is_alive: lock.isAlive } : null,
    stop: readStopRequest(directory),
  };
  printOne(status, options, () => statusLines(status));
}

async function init(options: InModule & { target?: string }): Promise<void> {
  const directory = resolve(options.dir);
  const words = options.target === undefined ? null : textArgument(options.target);
  if (words?.trim() === '') throw usage('the target is empty; say what to do');
  const made = await createModule(directory, words, now(), callerEnvironment());
  if ('refused' in made) {
    throw new CliError(ExitCode.failed, `${made.refused}; nothing was changed`);
  }
  const next = words === null ? `; fill ${join(directory, TARGET_FILE)}` : '';
  printOne(made.created, options, () => `${directory}: created${next}`);
}

function addCheckCommand(step: Command): void {
  inModule(step, 'check')
    .description("run the project's own checks; exit with 0 when all pass, 4 when there are none")
    .option('--in <dir>', 'run them here (default: the working tree of the task)')
    .action(check);
}

async function check(options: InModule & { in?: string }): Promise<void> {
  const module = existing(options.dir);
  const directory = options.in === undefined ? await projectOf(module) : existing(options.in);
  const interrupted = new AbortController();
  process.once('SIGINT', () => interrupted.abort());
  const report = await runChecks(findChecks(module, directory), {
    directory,
    environment: callerEnvironment(),
    clock: systemClock,
    timeoutMs: readConfig().taskTestTimeoutMs,
    signal: interrupted.signal,
  });
  printOne(report, options, () => checkLines(report));
  if (report.outcome === 'failed') throw new CliError(ExitCode.failed, 'checks failed');
  if (report.outcome === 'none') {
    const next = `name commands in ${join(module, COMMANDS_FILE)}, one a line`;
    throw new CliError(ExitCode.notFound, `no checks found in ${directory}; ${next}`);
  }
}

/** The worktree of the task, or the working tree its directory is in. */
async function projectOf(module: string): Promise<string> {
  return ownWorktree(module) ?? (await workingTree(module, callerEnvironment())) ?? module;
}
