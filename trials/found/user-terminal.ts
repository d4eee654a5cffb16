/** A terminal of the user without tmux: what its program prints, and its size. */
import { type IPty, spawn } from '@lydell/node-pty';
import { createHash } from 'node:crypto';
import { execFile } from '../../server/lib/processes/exec-file.ts';

const STTY_MS = 10_000;
const SIZE = { cols: 100, rows: 30 };

export class UserTerminal {
  readonly pid: number;
  readonly #pty: IPty;
  readonly #printed = createHash('sha256');
  #bytes = 0;
  #text = '';

  constructor(program: string, words: string[], cwd: string, environment: NodeJS.ProcessEnv) {
    const env = { ...environment, TERM: 'xterm-256color' };
    this.#pty = spawn(program, words, { ...SIZE, cwd, env, name: 'xterm-256color' });
    this.pid = this.#pty.pid;
    this.#pty.onData((text) => {
      this.#printed.update(text);
      this.#bytes += text.length;
      this.#text = (this.#text + text).slice(-MAX_TEXT);
    });
  }

  type(text: string): void {
    this.#pty.write(text);
  }

  /** The last that was printed, with its sequences. */
  get text(): string {
    return this.#text;
  }

  /** Hangs up: the person closes the window. */
  close(): void {
    this.#pty.kill('SIGHUP');
  }

  /** What its program has printed, and what the kernel says of the terminal. */
  async facts(name: string): Promise<Map<string, string>> {
    const device = `/proc/${this.pid}/fd/0`;
    const stty = async (word: string) => {
      const result = await execFile('stty', ['-F', device, word], { timeoutMs: STTY_MS });
      return result.ok ? result.stdout.trim() : 'closed';
    };
    return new Map([
      [`${name}: printed`, `${this.#bytes} ${this.#printed.copy().digest('hex')}`],
      [`${name}: size`, await stty('size')],
      [`${name}: settings`, await stty('-g')],
    ]);
  }
}

const MAX_TEXT = 20_000;
