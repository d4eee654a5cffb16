/** The daemon of a night as its test has it: started, moved ahead in time, killed. */
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { packageRoot } from '../../../server/lib/package-root.ts';
import { ApiClient } from '../../support/daemon/api-client.ts';
import type { NightStage } from './night-stage.ts';

const PROGRAM = join(packageRoot(), 'dist/test/drills/night/daemon-process.js');

export class NightDaemon {
  /** Wall times of the night at which none ran. */
  readonly gaps: { fromMs: number; toMs: number }[] = [];
  readonly #environment: NodeJS.ProcessEnv;
  readonly #clockFile: string;
  #child: ChildProcess | null = null;
  #api: ApiClient | null = null;
  #offsetMs: number;
  #said = '';

  constructor(stage: NightStage, beginMs: number) {
    const { world } = stage;
    this.#environment = world.environment;
    this.#clockFile = join(world.root, 'clock');
    stage.keepTime(this.#clockFile);
    this.#offsetMs = beginMs - Date.now();
    this.#writeClock();
    world.environment['LOOPWATCH_STAND_IN_CLOCK'] = this.#clockFile;
  }

  get nowMs(): number {
    return Date.now() + this.#offsetMs;
  }

  get api(): ApiClient {
    if (this.#api === null) throw new Error('no daemon runs');
    return this.#api;
  }

  get isRunning(): boolean {
    return this.#api !== null;
  }

  async start(): Promise<void> {
    const child = fork(PROGRAM, [], {
      env: this.#environment,
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    });
    this.#child = child;
    for (const stream of [child.stdout, child.stderr]) {
      stream?.on('data', (data: Buffer) => (this.#said += data.toString()));
    }
    const ended = once(child, 'exit').then(([code]) => {
      throw new Error(`the daemon ended with ${String(code)}: ${this.#said}`);
    });
    ended.catch(() => undefined);
    const [{ url, token }] = (await Promise.race([once(child, 'message'), ended])) as [
      { url: string; token: string },
    ];
    this.#api = new ApiClient(url, token);
    const gap = this.gaps.at(-1);
    if (gap !== undefined) gap.toMs = this.nowMs;
  }

  /** kill -9. */
  async kill(): Promise<void> {
    this.gaps.push({ fromMs: this.nowMs, toMs: Infinity });
    await this.#end(() => void this.#child?.kill('SIGKILL'));
  }

  async close(): Promise<void> {
    await this.#end(() => void this.#child?.send('close'));
  }

  /** For the daemon and for every stand-in. */
  async skip(byMs: number): Promise<void> {
    this.#offsetMs += byMs;
    this.#writeClock();
    const child = this.#child;
    if (child === null) return;
    const skipped = once(child, 'message');
    child.send({ skipMs: byMs });
    await skipped;
  }

  async #end(how: () => void): Promise<void> {
    const child = this.#child;
    [this.#child, this.#api] = [null, null];
    if (child === null || child.exitCode !== null || child.signalCode !== null) return;
    const exited = once(child, 'exit');
    this.#child = child;
    how();
    await exited;
    this.#child = null;
  }

  #writeClock(): void {
    writeFileSync(`${this.#clockFile}.new`, String(this.#offsetMs));
    renameSync(`${this.#clockFile}.new`, this.#clockFile);
  }
}
