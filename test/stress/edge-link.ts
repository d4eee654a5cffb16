/** The driver's end of the edge process. Disposing ends the process and removes its files. */
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { packageRoot } from '../../server/lib/package-root.ts';
import type {
  EdgeAnswer,
  EdgeCommand,
  EdgeReady,
  EdgeRow,
  EdgeSetup,
  EdgeState,
} from './edge-protocol.ts';

const PROGRAM = join(packageRoot(), 'dist/test/stress/edge-process.js');
const PATIENCE_MS = 5_000;

type Reply = Extract<EdgeAnswer, { id: number }>;

/** The engine cannot run on this machine; the message says why. */
export class EngineMissing extends Error {}

export class EdgeLink {
  readonly ready: EdgeReady;
  readonly #child: ChildProcess;
  readonly #home: string;
  readonly #waiting = new Map<number, { resolve: (reply: Reply) => void; reject: () => void }>();
  #asked = 0;

  /** Throws EngineMissing. */
  static async start(setup: Omit<EdgeSetup, 'home'>): Promise<EdgeLink> {
    const home = mkdtempSync(join(tmpdir(), 'lws-'));
    chmodSync(home, 0o700);
    const words = [JSON.stringify({ ...setup, home })];
    const child = fork(PROGRAM, words, { execArgv: ['--expose-gc'] });
    const [first] = (await Promise.race([
      once(child, 'message'),
      once(child, 'exit').then(() => [{ unable: 'its process ended' }]),
    ])) as [EdgeAnswer];
    if ('ready' in first) return new EdgeLink(child, home, first.ready);
    rmSync(home, { recursive: true });
    throw new EngineMissing('unable' in first ? first.unable : 'it does not answer');
  }

  private constructor(child: ChildProcess, home: string, ready: EdgeReady) {
    this.#child = child;
    this.#home = home;
    this.ready = ready;
    child.on('message', (message) => {
      const reply = message as Reply;
      this.#waiting.get(reply.id)?.resolve(reply);
      this.#waiting.delete(reply.id);
    });
    child.once('exit', () => {
      for (const { reject } of this.#waiting.values()) reject();
    });
  }

  /** Resolves when the last batch is written. */
  async append(
    turns: number,
    perTurn: number,
    { everyMs = 0, paddingBytes = 0 } = {},
  ): Promise<void> {
    await this.#ask({ do: 'append', turns, perTurn, everyMs, paddingBytes });
  }

  async jump(ms: number): Promise<void> {
    await this.#ask({ do: 'jump', ms });
  }

  async restart(): Promise<void> {
    await this.#ask({ do: 'restart' });
  }

  async rows(): Promise<EdgeRow[]> {
    return (await this.#ask({ do: 'rows' })).rows ?? [];
  }

  async state(): Promise<EdgeState> {
    const { state } = await this.#ask({ do: 'state' });
    if (state === undefined) throw new Error('the edge did not report its state');
    return state;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const exited = once(this.#child, 'exit');
    this.#child.disconnect();
    const kill = setTimeout(() => this.#child.kill('SIGKILL'), PATIENCE_MS);
    await exited;
    clearTimeout(kill);
    rmSync(this.#home, { recursive: true });
  }

  async #ask(command: EdgeCommand): Promise<Reply> {
    this.#asked += 1;
    const id = this.#asked;
    return new Promise((resolve, fail) => {
      const reject = () => fail(new Error('the process of the edge has ended'));
      this.#waiting.set(id, { resolve, reject });
      if (this.#child.connected) this.#child.send({ id, ...command });
      else reject();
    });
  }
}
