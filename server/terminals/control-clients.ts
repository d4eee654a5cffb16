/**
 * The control clients of a host: one per viewed session, shared by all its viewers. Clients and
 * servers start and end one at a time for each session, because tmux 3.3a crashes when some of them
 * coincide.
 */
import { AppError } from '../lib/app-error.ts';
import type { Clock, Timer } from '../lib/clock.ts';
import { Serial } from '../lib/serial.ts';
import { ControlClient } from './control-client.ts';
import { probeShell } from './terminal-device.ts';
import { TapLine } from './tap-line.ts';
import type { TapListener, TerminalIdentity } from './terminal.ts';
import { historyCommand, parseHistory } from './tmux-commands.ts';
import type { TmuxProgram } from './tmux-program.ts';

/** A viewer who leaves and returns within this time finds the same client. */
const LINGER_MS = 10_000;

interface Shared {
  client: ControlClient;
  identity: TerminalIdentity;
  lines: Set<TapLine>;
  /** Runs while there are no viewers. */
  linger: Timer | null;
}

export class ControlClients {
  readonly #program: TmuxProgram;
  readonly #clock: Clock;
  readonly #shared = new Map<string, Shared>();
  readonly #lifecycle = new Serial();

  constructor(options: { program: TmuxProgram; clock: Clock }) {
    this.#program = options.program;
    this.#clock = options.clock;
  }

  /** The client of a viewed terminal, or null; it has answered before. */
  live(name: string, identity: TerminalIdentity): ControlClient | null {
    const shared = this.#shared.get(name);
    if (shared === undefined || !shared.client.live) return null;
    return shared.identity.shellPid === identity.shellPid ? shared.client : null;
  }

  /** Adds a listener to the terminal's client, starting it if needed. Throws `terminal_failed`. */
  async join(
    name: string,
    identity: TerminalIdentity,
    listener: TapListener,
  ): Promise<{ client: ControlClient; line: TapLine; leave: () => void }> {
    return this.#lifecycle.run(name, async () => {
      const shared = await this.#share(name, identity);
      const line = new TapLine(listener);
      shared.lines.add(line);
      shared.linger?.cancel();
      shared.linger = null;
      const leave = () => {
        line.close();
        if (shared.lines.delete(line) && shared.lines.size === 0) this.#linger(name, shared);
      };
      return { client: shared.client, line, leave };
    });
  }

  /** Runs what starts or ends a session's server while no client starts or ends there. */
  async alone<Result>(name: string, act: () => Promise<Result>): Promise<Result> {
    return this.#lifecycle.run(name, act);
  }

  async dispose(): Promise<void> {
    const all = [...this.#shared];
    await Promise.all(
      all.map(async ([name, shared]) => this.alone(name, async () => this.#drop(name, shared))),
    );
  }

  async #share(name: string, identity: TerminalIdentity): Promise<Shared> {
    const before = this.#shared.get(name);
    if (before !== undefined && this.live(name, identity) !== null) return before;
    if (before !== undefined) await this.#drop(name, before);
    const { kind } = probeShell(identity);
    // A client that starts while its terminal ends can crash the server.
    if (kind !== 'shell' && kind !== 'program') throw closed();
    const lines = new Set<TapLine>();
    const client = new ControlClient({
      child: this.#program.control(name),
      identity,
      clock: this.#clock,
      listener: {
        output: (bytes) => lines.forEach((line) => line.output(bytes)),
        skipped: () => lines.forEach((line) => line.skipped()),
        ended: () => lines.forEach((line) => line.ended()),
      },
    });
    const shared: Shared = { client, identity, lines, linger: null };
    try {
      parseHistory(await client.ask([historyCommand(identity)]));
    } catch (error) {
      await client.leave();
      throw error;
    }
    this.#shared.set(name, shared);
    return shared;
  }

  #linger(name: string, shared: Shared): void {
    shared.linger = this.#clock.after(LINGER_MS, () => {
      void this.alone(name, async () => {
        if (shared.lines.size === 0) await this.#drop(name, shared);
      });
    });
  }

  async #drop(name: string, shared: Shared): Promise<void> {
    shared.linger?.cancel();
    if (this.#shared.get(name) === shared) this.#shared.delete(name);
    await shared.client.leave();
  }
}

function closed(): AppError {
  return new AppError('terminal_failed', 'the terminal was closed');
}
