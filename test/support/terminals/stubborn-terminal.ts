/**
 * A terminal whose agent ignores all signals but SIGKILL, and its processes, without a system
 * behind them. Each witness answers, fails or hangs, as the test chooses.
 */
import type { Clock } from '../../../server/lib/clock.ts';
import type { ProcessState } from '../../../server/lib/processes/process-identity.ts';
import type { ListedProcess, Processes } from '../../../server/lib/processes/processes.ts';
import { TERMINAL_VARIABLE } from '../../../server/terminals/end-terminal.ts';
import type {
  Foreground,
  TerminalHost,
  TerminalIdentity,
} from '../../../server/terminals/terminal.ts';
import { AGENT } from '../auto/loop-life.ts';

export type Fault = 'answers' | 'fails' | 'hangs';

const SHELL = { pid: 41, startedAt: '0' };

export class StubbornTerminal {
  readonly identity: TerminalIdentity = {
    hostPid: 40,
    hostStartedAt: '0',
    pane: '%0',
    mark: 'mark',
    shellPid: SHELL.pid,
    shellStartedAt: SHELL.startedAt,
  };
  /** Snapshots of the screen. */
  screen: Fault = 'answers';
  /** Every other request to the terminal's server. */
  server: Fault = 'answers';
  /** What the system reports about processes. */
  kernel: Fault = 'answers';
  /** The agent's owner may not allow it to be ended. */
  mayEndAgent = true;
  lines: string[] = ['working'];
  /** Every signal sent to the agent. */
  readonly signals: string[] = [];
  readonly #clock: Clock;
  readonly #living = new Set([40, SHELL.pid]);

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  startAgent(): void {
    this.#living.add(AGENT.pid);
  }

  lives(pid: number): boolean {
    return this.#living.has(pid);
  }

  readonly host: TerminalHost = {
    kind: 'tmux',
    open: async () => this.#ask(this.server, this.identity),
    find: async () => this.#ask(this.server, this.identity),
    living: async () => this.#ask(this.server, []),
    foreground: () => this.#foreground(),
    screen: async () => this.#ask(this.screen, this.#snapshot()),
    type: async () => this.#ask(this.server, 'typed'),
    resize: async () => this.#ask(this.server, undefined),
    scrollback: async () => this.#ask(this.server, { total: 0, offset: 0, lines: [] }),
    changedAt: () => this.#clock.now(),
    tap: async () => Promise.reject(new Error('no tap')),
    press: async () => this.#ask(this.server, 'typed'),
    tagOf: async () => this.#ask(this.server, 'run.1'),
    close: async () => this.#ask(this.server, []),
    dispose: async () => Promise.resolve(),
  };

  readonly processes: Processes = {
    read: (pid) => {
      // Synchronous reads cannot hang.
      if (this.kernel === 'fails') throw new Error('EMFILE');
      return this.#living.has(pid) ? stateOf(pid) : null;
    },
    list: async () => this.#ask(this.kernel, [...this.#living].map(listed)),
    environment: async () => this.#ask(this.kernel, `\0${TERMINAL_VARIABLE}=mark\0`),
    commandLine: async () => this.#ask(this.kernel, '\0claude\0'),
    signal: ({ pid }, signal) => {
      if (this.kernel === 'fails') throw new Error('EMFILE');
      this.signals.push(signal);
      if (!this.mayEndAgent) return 'not_permitted';
      if (signal === 'SIGKILL') this.#living.delete(pid);
      return 'sent';
    },
  };

  #foreground(): Foreground {
    if (!this.#living.has(AGENT.pid)) {
      return { kind: 'shell', name: 'bash', process: SHELL };
    }
    return { kind: 'program', program: stateOf(AGENT.pid), forked: false };
  }

  #snapshot() {
    const size = { cols: 80, rows: this.lines.length };
    const cursor: [number, number] = [0, 0];
    return { ...size, cursor, cursorVisible: true, alternate: false, lines: this.lines };
  }

  async #ask<Answer>(fault: Fault, answer: Answer): Promise<Answer> {
    if (fault === 'fails') throw new Error('no answer can be had');
    if (fault === 'hangs') return new Promise(() => undefined);
    return Promise.resolve(answer);
  }
}

function stateOf(pid: number): ProcessState {
  const startedAt = pid === AGENT.pid ? AGENT.startedAt : '0';
  return { pid, startedAt, name: 'claude', group: pid, foregroundGroup: AGENT.pid };
}

function listed(pid: number): ListedProcess {
  const { startedAt, name, group } = stateOf(pid);
  return { pid, startedAt, name, group, session: SHELL.pid, parent: pid - 1 };
}
