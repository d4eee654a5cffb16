/**
 * What daemons in a test worker run programs with, in place of `execFile`: a small process runs
 * them. A fork copies the page tables of the whole worker, which has loaded everything: on a
 * virtual machine 30 ms for each git command, of 40.
 */
import { type ChildProcess, fork } from 'node:child_process';
import { join } from 'node:path';
import type { ExecOptions, ExecResult } from '../../../server/lib/processes/exec-file.ts';
import { packageRoot } from '../../../server/lib/package-root.ts';
import type { ExecRequest } from './exec-process.ts';

const PROGRAM = join(packageRoot(), 'dist/test/support/house/exec-process.js');

const waiting = new Map<number, (result: ExecResult) => void>();
let runner: ChildProcess | null = null;
let last = 0;

export async function execFile(
  program: string,
  args: readonly string[],
  options: ExecOptions,
): Promise<ExecResult> {
  runner ??= startRunner();
  const id = (last += 1);
  const { cwd = process.cwd(), env = process.env } = options;
  const request: ExecRequest = { id, program, args, options: { ...options, cwd, env } };
  return new Promise((resolve, reject) => {
    waiting.set(id, resolve);
    runner?.send(request, (error) => {
      if (error) reject(error);
    });
  });
}

/** It ends with this process, which it does not keep alive. */
function startRunner(): ChildProcess {
  const child = fork(PROGRAM, { cwd: '/', execArgv: [], serialization: 'advanced' });
  child.on('message', ({ id, result }: { id: number; result: ExecResult }) => {
    waiting.get(id)?.(result);
    waiting.delete(id);
  });
  child.on('exit', (code, signal) => {
    throw new Error(`the process that runs programs for tests ended: ${code ?? signal}`);
  });
  child.unref();
  child.channel?.unref();
  return child;
}
