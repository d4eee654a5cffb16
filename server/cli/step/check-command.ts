/** `loopwatch step check`: the project's own checks, where the work of a task directory is. */
import { join } from 'node:path';
import type { Command } from 'commander';
import { systemClock } from '../../lib/clock.ts';
import { readConfig } from '../../lib/config.ts';
import { workingTree } from '../../modules/module-git.ts';
import { COMMANDS_FILE, findChecks, runChecks } from '../../modules/project-checks.ts';
import { ownWorktree } from '../../modules/task-module.ts';
import { CliError, ExitCode } from '../exit-code.ts';
import { printOne } from '../print/output.ts';
import { checkLines } from '../print/print-step.ts';
import { callerEnvironment, existing, type InModule, inModule } from './in-module.ts';

export function addCheckCommand(step: Command): void {
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
