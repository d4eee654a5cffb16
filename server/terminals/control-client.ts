/**
 * One control-mode client (`tmux -C`) of one session: what a program writes, as it writes it, and
 * commands whose answers stand at their exact place among those bytes.
 */
import type { ChildProcessByStdio } from 'node:child_process';
import type { Readable, Writable } from 'node:stream';
import { AppError } from '../lib/app-error.ts';
import type { Clock, Timer } from '../lib/clock.ts';
import { ControlLines, type ControlMessage } from './control-lines.ts';
import { ControlQuestions } from './control-questions.ts';
import { DisplayBytes } from './display-bytes.ts';
import { probeShell } from './terminal-device.ts';
import type { TapListener, TerminalIdentity } from './terminal.ts';
import type { TmuxCommand } from './tmux-commands.ts';

/** How long tmux may take to let the client go. */
const LEAVE_TIMEOUT_MS = 2_000;
/** Beyond 20 MB/s nobody reads along; decoding all of it would keep a core busy. */
const FLOOD_BYTES = 2 * 1024 * 1024;
const FLOOD_WINDOW_MS = 100;
/** How long a shell that ended may go unnoticed by those who look on. */
const WATCH_MS = 250;
/** Twenty looks a second into a flood. */
const FLOOD_PAUSE_MS = 50;
/** How long tmux may say nothing before it is asked whether something is left to say. */
const QUIET_MS = 250;

/** Commands go in, the protocol comes out. */
export type ControlProcess = ChildProcessByStdio<Writable, Readable, null>;

export class ControlClient {
  readonly #child: ControlProcess;
  readonly #identity: TerminalIdentity;
  readonly #clock: Clock;
  readonly #told: TapListener;
  readonly #lines = new ControlLines();
  readonly #questions: ControlQuestions;
  readonly #gone: Promise<void>;
  #filter = new DisplayBytes();
  #paused = false;
  #floodFrom = 0;
  #floodBytes = 0;
  #watch: Timer | null = null;
  #quiet: Timer | null = null;
  /** It said something that is no reply since it was last stirred. */
  #talked = false;
  #state: 'live' | 'told' | 'gone' = 'live';

  /** Takes a client program that was just started, and who is told what it says. */
  constructor(options: {
    child: ControlProcess;
    identity: TerminalIdentity;
    clock: Clock;
    told: TapListener;
  }) {
    this.#child = options.child;
    this.#identity = options.identity;
    this.#clock = options.clock;
    this.#told = options.told;
    this.#questions = new ControlQuestions({
      clock: this.#clock,
      write: (text) => this.#child.stdin.write(text),
      overdue: () => this.#child.kill('SIGKILL'),
    });
    this.#child.stdout.on('data', (bytes: Buffer) => {
      for (const message of this.#lines.push(bytes)) this.#hear(message);
      this.#questions.heard();
      this.#awaitQuiet();
    });
    // What could not be written is answered by the end of the program.
    this.#child.stdin.on('error', () => undefined);
    this.#lookForEnd();
    this.#gone = new Promise((resolve) => {
      const gone = () => {
        this.#end();
        resolve();
      };
      this.#child.on('close', gone).on('error', gone);
    });
  }

  /** The client answers and its terminal has not ended. */
  get live(): boolean {
    return this.#state === 'live';
  }

  /** The code that what is told next is drawn with. */
  get pen(): string {
    return this.#filter.pen.code();
  }

  /** Takes commands; gives their answers, each with a line end, as the client program does. Throws `terminal_failed`. */
  async ask(
    commands: readonly TmuxCommand[],
    atAnswer: (text: string) => void = () => undefined,
  ): Promise<string> {
    if (this.#state === 'gone') throw new AppError('terminal_failed', 'tmux exited');
    this.#awaitQuiet();
    return this.#questions.ask(commands, atAnswer);
  }

  /**
   * Lets the client go, and resolves when it is gone. tmux 3.3a crashes when a client is killed just
   * after its start: call this only after it answered once, and so was attached.
   */
  async leave(): Promise<void> {
    const timer = this.#clock.after(LEAVE_TIMEOUT_MS, () => this.#child.kill('SIGKILL'));
    this.#child.stdin.end('detach-client\n');
    await this.#gone;
    timer.cancel();
  }

  #hear(message: ControlMessage): void {
    if (message.kind === 'reply') this.#questions.hear(message);
    else this.#talked = true;
    if (message.kind === 'output') this.#hearOutput(message.pane, message.bytes);
    else if (message.kind === 'pause' && message.pane === this.#identity.pane) this.#skip();
  }

  #hearOutput(pane: string, bytes: Uint8Array): void {
    if (pane !== this.#identity.pane || this.#paused || this.#state !== 'live') return;
    const shown = this.#filter.push(bytes);
    if (shown.length > 0) this.#told.output(shown);
    const now = this.#clock.monotonic();
    if (now - this.#floodFrom > FLOOD_WINDOW_MS) {
      this.#floodFrom = now;
      this.#floodBytes = 0;
    }
    this.#floodBytes += bytes.length;
    if (this.#floodBytes < FLOOD_BYTES) return;
    this.#skip();
    this.#command('pause');
  }

  /** Leaves bytes out for a while. Those who look on are told once they come again. */
  #skip(): void {
    if (this.#paused || this.#state !== 'live') return;
    this.#paused = true;
    this.#clock.after(FLOOD_PAUSE_MS, () => this.#command('continue', () => this.#goOn()));
  }

  #goOn(): void {
    this.#paused = false;
    this.#floodBytes = 0;
    this.#filter = new DisplayBytes();
    if (this.#state === 'live') this.#told.skipped();
  }

  #command(act: 'pause' | 'continue', atAnswer?: () => void): void {
    const command = ['refresh-client', '-A', `${this.#identity.pane}:${act}`];
    // It fails only with the client, whose end is told.
    this.ask([command], atAnswer).catch(() => undefined);
  }

  /** tmux does not say that a shell ended: each look reads one file of the kernel. */
  #lookForEnd(): void {
    if (this.#state !== 'live') return;
    const { kind } = probeShell(this.#identity);
    if (kind === 'shell' || kind === 'program') {
      this.#watch = this.#clock.after(WATCH_MS, () => this.#lookForEnd());
      return;
    }
    const finish = () => {
      if (this.#state !== 'live') return;
      this.#state = 'told';
      this.#told.ended();
    };
    // What it wrote last stands before the answer.
    this.ask([['display-message', '-p', 'ended']], finish).catch(() => undefined);
  }

  #awaitQuiet(): void {
    if (this.#state === 'gone') return;
    this.#quiet?.cancel();
    this.#quiet = this.#clock.after(QUIET_MS, () => this.#stir());
  }

  /**
   * When tmux 3.3a pauses a client, replies and `%pause` itself can stay lying behind the bytes it
   * dropped until it has one more line to write: so it is asked for one.
   */
  #stir(): void {
    if (!this.#talked && !this.#questions.owed) return;
    this.#talked = false;
    this.#questions.stir();
    this.#awaitQuiet();
  }

  #end(): void {
    const before = this.#state;
    this.#state = 'gone';
    this.#watch?.cancel();
    this.#quiet?.cancel();
    this.#questions.end();
    if (before === 'live') this.#told.ended();
  }
}
