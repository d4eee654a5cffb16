import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { delimiter, join } from 'node:path';
import { packageRoot } from '../../../server/lib/package-root.ts';
import { until } from '../house/until.ts';
import type { World } from '../daemon/world.ts';

/** A running example, started as a user does on the home of a world, and its output so far. */
export class ExampleProcess {
  stdout = '';
  stderr = '';
  readonly #child: ChildProcess;

  constructor(world: World, words: readonly string[], more: NodeJS.ProcessEnv = {}) {
    const [program = '', name = '', ...rest] = words;
    const own = join(packageRoot(), 'node_modules/.bin');
    this.#child = spawn(program, [join(packageRoot(), 'examples', name), ...rest], {
      cwd: world.root,
      env: {
        ...world.environment,
        PATH: `${own}${delimiter}${process.env['PATH'] ?? ''}`,
        ...more,
      },
      // Its own group, because a script has children. Open input, as on a terminal.
      detached: true,
      stdio: 'pipe',
    });
    this.#child.stdout?.on('data', (data: Buffer) => (this.stdout += data.toString()));
    this.#child.stderr?.on('data', (data: Buffer) => (this.stderr += data.toString()));
  }

  /** The complete lines printed so far, parsed as JSON. */
  get lines(): unknown[] {
    const lines = this.stdout.split('\n').slice(0, -1);
    return lines.map((line) => JSON.parse(line) as unknown);
  }

  /** Waits until it has printed so many lines. */
  async printed(count: number): Promise<void> {
    await this.#until(`${count} lines`, () => this.lines.length >= count);
  }

  /** Waits until the text is on stderr, this many times. */
  async said(text: string, times = 1): Promise<void> {
    await this.#until(text, () => this.stderr.split(text).length > times);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.end();
  }

  /** Kills it and everything it started. */
  async end(): Promise<void> {
    const child = this.#child;
    const exited =
      child.exitCode !== null || child.signalCode !== null ? null : once(child, 'exit');
    if (child.pid !== undefined) {
      try {
        process.kill(-child.pid, 'SIGKILL');
      } catch {
        // It has ended, and everything it started.
      }
    }
    await exited;
  }

  async #until(what: string, poll: () => boolean): Promise<void> {
    await until(what, () => {
      if (poll()) return true;
      const { exitCode } = this.#child;
      if (exitCode !== null) throw new Error(`ended with ${exitCode}: ${this.stderr}`);
      return false;
    });
  }
}
