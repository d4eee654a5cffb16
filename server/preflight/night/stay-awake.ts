/**
 * Keeps the host awake while work is open, by a program of the system that holds an inhibitor for as
 * long as the program it runs. That is `cat` on a pipe from here: it ends with this process, also
 * after a kill.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { messageOf } from '../../lib/app-error.ts';

const WHY = 'Loopwatch has open work';
/** The first one that this system has. */
const HOLDERS: readonly (readonly [string, ...string[]])[] = [
  [
    'systemd-inhibit',
    '--what=sleep:idle',
    '--who=Loopwatch',
    `--why=${WHY}`,
    '--mode=block',
    'cat',
  ],
  ['caffeinate', '-i', 'cat'],
];
const MAX_ERROR = 200;

export type Awake =
  | { state: 'off' | 'idle'; detail: null }
  | { state: 'held'; detail: string }
  /** Neither program is there, or it failed. */
  | { state: 'unavailable'; detail: string };

export class StayAwake {
  readonly #environment: NodeJS.ProcessEnv;
  readonly #isOn: boolean;
  #child: ChildProcess | null = null;
  #wanted = false;
  #state: Awake;

  constructor(environment: NodeJS.ProcessEnv, isOn: boolean) {
    this.#environment = environment;
    this.#isOn = isOn;
    this.#state = { state: isOn ? 'idle' : 'off', detail: null };
  }

  get state(): Awake {
    return this.#state;
  }

  /** Holds while there is work; one that failed is tried again with the next work. */
  update(hasWork: boolean): void {
    if (!this.#isOn || hasWork === this.#wanted) return;
    this.#wanted = hasWork;
    if (hasWork) this.#hold(0);
    else this.#release();
  }

  dispose(): void {
    this.#wanted = false;
    this.#release();
  }

  #hold(index: number): void {
    const [program, ...args] = HOLDERS[index] ?? [];
    if (program === undefined) {
      const detail = `neither ${HOLDERS.map(([name]) => name).join(' nor ')} is installed`;
      this.#state = { state: 'unavailable', detail };
      return;
    }
    const child = spawn(program, args, {
      env: this.#environment,
      stdio: ['pipe', 'ignore', 'pipe'],
    });
    this.#child = child;
    this.#state = { state: 'held', detail: program };
    let printed = '';
    child.stderr.on('data', (part: Buffer) => {
      printed = `${printed}${part.toString()}`.slice(0, MAX_ERROR);
    });
    child.stdin.on('error', () => undefined);
    child.on('error', (error) => {
      if (this.#child !== child) return;
      this.#child = null;
      if ('code' in error && error.code === 'ENOENT') this.#hold(index + 1);
      else this.#state = { state: 'unavailable', detail: `${program}: ${messageOf(error)}` };
    });
    // A cat that has lost the program that held it would keep the pipe of errors open.
    child.on('exit', () => child.stdin.end());
    // Not at its exit: what it printed last may arrive after that.
    child.on('close', () => {
      if (this.#child !== child) return;
      this.#child = null;
      this.#state = { state: 'unavailable', detail: `${program} ended: ${printed.trim()}` };
    });
  }

  #release(): void {
    const child = this.#child;
    this.#child = null;
    // The end of its input ends cat, and with it the program that holds.
    child?.stdin?.end();
    if (this.#isOn) this.#state = { state: 'idle', detail: null };
  }
}
