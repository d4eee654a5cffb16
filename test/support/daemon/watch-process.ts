import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import type { EventRecord } from '../../../shared/schema/events/events.ts';
import { until } from '../house/until.ts';
import type { World } from './world.ts';

/** A running `loopwatch watch`, and its output so far. */
export class WatchProcess {
  readonly child: ChildProcess;
  stdout = '';
  stderr = '';
  readonly #ended: Promise<unknown[]>;

  constructor(world: World, words: readonly string[]) {
    this.child = world.run(['watch', ...words]);
    this.child.stdout?.on('data', (data: Buffer) => (this.stdout += data.toString()));
    this.child.stderr?.on('data', (data: Buffer) => (this.stderr += data.toString()));
    this.#ended = once(this.child, 'close');
  }

  /** The complete lines printed so far, parsed as JSON. */
  get events(): ({ key: string } & EventRecord)[] {
    const lines = this.stdout.split('\n').slice(0, -1);
    return lines.map((line) => JSON.parse(line) as WatchProcess['events'][number]);
  }

  async printed(count: number): Promise<void> {
    await until(
      `${count} events are printed`,
      () => this.events.length >= count,
      () => `${this.events.length} events; ${this.stderr}`,
    );
  }

  async end(signal: NodeJS.Signals = 'SIGTERM'): Promise<number | null> {
    this.child.kill(signal);
    return this.code();
  }

  /** Waits until it ends on its own. */
  async code(): Promise<number | null> {
    return (await this.#ended)[0] as number | null;
  }
}
