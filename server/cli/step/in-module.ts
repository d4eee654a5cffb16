/** What the commands on a task directory share: its option, its files, and who calls. */
import { resolve } from 'node:path';
import type { Command } from 'commander';
import { RUN_VARIABLE } from '../../agents/launch/launch-files.ts';
import { systemClock, toIso } from '../../lib/clock.ts';
import { realDirectory } from '../../lib/files/real-directory.ts';
import { readTaskModule, type TaskModule } from '../../modules/task-module.ts';
import { CliError, ExitCode } from '../exit-code.ts';
import type { Output } from '../print/output.ts';

export interface InModule extends Output {
  dir: string;
}

export function inModule(step: Command, name: string): Command {
  return step
    .command(name)
    .requiredOption('--dir <dir>', 'the task directory')
    .option('--json', 'output as JSON');
}

/** The directory itself; throws a CliError (not found) for what is none. */
export function existing(dir: string): string {
  const path = resolve(dir);
  const found = realDirectory(path)?.path;
  if (found !== undefined) return found;
  throw new CliError(
    ExitCode.notFound,
    `${path} is not a directory; create it with: ${init(path)}`,
  );
}

/** Throws a CliError with what to do when there is no module to read. */
export function requireModule(directory: string): TaskModule {
  const found = readTaskModule(directory);
  if (found.kind === 'module') return found.module;
  if (found.kind === 'unreadable')
    throw unreadableIndex(directory, `${found.file} ${found.detail}`);
  const next = `make it one with: ${init(directory)}`;
  throw new CliError(ExitCode.notFound, `${directory} is not a task module; ${next}`);
}

export function unreadableIndex(directory: string, what: string): CliError {
  const next = `restore it with: git -C ${directory} checkout -- .index.json`;
  return new CliError(ExitCode.failed, `${what}; ${next}`);
}

/** ISO 8601. */
export function now(): string {
  return toIso(systemClock.now());
}

/** Of the agent that calls; what it runs is to see the same. */
export function callerEnvironment(): NodeJS.ProcessEnv {
  return process.env;
}

/** The daemon's run that started the agent; null when a person did. */
export function currentRun(): string | null {
  return callerEnvironment()[RUN_VARIABLE] ?? null;
}

function init(directory: string): string {
  return `loopwatch step init --dir ${directory} --target TEXT`;
}
