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
   * Takes the main thread of a process, the calls to look at, and what to do to which of them, in
   * the words of strace. Resolves once no call can be missed. Counts are kept for each call alone.
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

  /** Lets the process go; gives how often each call was seen. */
  async detach(): Promise<Map<string, number>> {
    this.#child.kill('SIGTERM');
    await this.#ended;
    return countCalls(this.#said);
  }

  /** Takes a file that strace wrote; gives how often each call is in it. */
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
