/** A child process of the bench that answers one request at a time; on its own core where possible. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { findProgram } from '../../server/lib/processes/program-versions.ts';
import { packageRoot } from '../../server/lib/package-root.ts';

type Answer = { answer: unknown } | { failure: string };

export class BenchChild<Ask> {
  readonly #process: ChildProcess;

  /** `program` is below `bench`; `core` is null for any; `flags` are Node's. */
  constructor(
    program: string,
    words: readonly string[],
    core: number | null,
    flags: readonly string[] = [],
  ) {
    const asked = process.env['LOOPWATCH_BENCH_NODE_OPTIONS']?.split(' ') ?? [];
    const command = [
      ...pin(core),
      process.execPath,
      '--expose-gc',
      ...flags,
      ...asked,
      join(packageRoot(), 'dist/bench', program),
      ...words,
    ];
    const [file = '', ...rest] = command;
    this.#process = spawn(file, rest, { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] });
  }

  get pid(): number {
    return this.#process.pid ?? 0;
  }

  /** Throws the error of the child. */
  async ask<Result>(ask: Ask): Promise<Result> {
    const exited = new AbortController();
    const ended = () => exited.abort(new Error('a process of the bench ended too early'));
    this.#process.once('exit', ended);
    try {
      this.#process.send(ask as object);
      const [answer] = (await once(this.#process, 'message', { signal: exited.signal })) as [
        Answer,
      ];
      if ('failure' in answer) throw new Error(answer.failure);
      return answer.answer as Result;
    } finally {
      this.#process.off('exit', ended);
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (this.#process.exitCode !== null) return;
    const exited = once(this.#process, 'exit');
    this.#process.disconnect();
    await exited;
  }
}

/** In the child itself: answers each request with the result of `act`, and ends with its parent. */
export function answerAsks(act: (ask: unknown) => Promise<unknown>): void {
  process.on('message', (ask) => {
    act(ask).then(
      (answer) => process.send?.({ answer }),
      (error: unknown) => process.send?.({ failure: String(error) }),
    );
  });
  process.on('disconnect', () => process.exit());
}

/** Whether processes are held to one core each. */
export const isPinned =
  findProgram('taskset', process.env['PATH'] ?? '') !== null && availableParallelism() > 1;

function pin(core: number | null): string[] {
  return isPinned && core !== null ? ['taskset', '-c', String(core)] : [];
}
