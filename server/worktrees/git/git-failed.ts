/** What git said when it failed, with a next step. */
import { existsSync } from 'node:fs';
import { oneLine } from '../../../shared/rules/text/plain-text.ts';
import { AppError } from '../../lib/app-error.ts';
import type { ExecResult } from '../../lib/processes/exec-file.ts';

type Failure = Extract<ExecResult, { ok: false }>;

/** An error with git's message and a next step. */
export function gitFailed(directory: string, args: readonly string[], failure: Failure): AppError {
  const command = `git ${args[0] ?? ''}`;
  if (failure.code === 'ENOENT') {
    return existsSync(directory)
      ? new AppError('git_failed', 'git was not found; install it (package “git”), then try again')
      : new AppError('git_failed', `${directory} no longer exists; ${command} cannot run there`);
  }
  if (failure.timedOut) {
    const next = `check what keeps it busy in ${directory}, then try again`;
    return new AppError('git_failed', `${command} took too long and was killed; ${next}`);
  }
  const message = errorText(failure) || `it exited with ${String(failure.code)}`;
  const next = `fix this in ${directory}, then try again`;
  return new AppError('git_failed', `${command}: ${message}; ${next}`);
}

/** The first three lines of git's error output, as one. */
export function errorText({ stderr }: Failure): string {
  const lines = stderr.split('\n').filter((line) => line.trim() !== '');
  return oneLine(lines.slice(0, 3).join(' · '), 500);
}
