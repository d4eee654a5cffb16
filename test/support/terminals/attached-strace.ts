/** A process under strace: system calls that are counted, that fail, or that kill it. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';

export class AttachedStrace {
  readonly #child: ChildProcess;
  readonly #ended: Promise<unknown>;
  #said = '';

  private constructor(child: ChildProcess) {
    this.#child = child;
    child.stderr?.on('data', (data: Buffer) => (this.#said += data.toString()));
    this.#ended = once(child, 'close');
  }

  /**
   * Attaches to the main thread of a process; `calls` and the actions use strace's syntax. Resolves
   * once no call can be missed. Counts are kept per call.
   */
  static async attach(
    pid: number,
    calls: readonly string[],
    inject?: string,
  ): Promise<AttachedStrace> {
    const injection = inject === undefined ? [] : ['-e', `inject=${inject}`];
    const words = ['-p', String(pid), '-e', `trace=${calls.join()}`, '-e', 'signal=none'];
    const child = spawn('strace', [...words, ...injection], {
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    const strace = new AttachedStrace(child);
    await new Promise<void>((resolve, reject) => {
      child.stderr.on('data', () => {
        if (strace.#said.includes('attached')) resolve();
      });
      child.once('error', reject);
      child.once('close', () => reject(new Error(strace.#said)));
    });
    return strace;
  }

  /** Detaches from the process; returns how often each call was seen. */
  async detach(): Promise<Map<string, number>> {
    this.#child.kill('SIGTERM');
    await this.#ended;
    return countCalls(this.#said);
  }

  /** How often each call is in a file that strace wrote. */
  static countsIn(file: string): Map<string, number> {
    return countCalls(readFileSync(file, 'utf8'));
  }
}

function countCalls(text: string): Map<string, number> {
  const counts = new Map<string, number>();
  for (const [, call = ''] of text.matchAll(/^(\w+)\(/gm)) {
    counts.set(call, (counts.get(call) ?? 0) + 1);
  }
  return counts;
}
