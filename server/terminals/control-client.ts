/**
 * One control-mode client (`tmux -C`) of one session: the output of a program as it is written, and
 * commands whose answers keep their exact position among those bytes.
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

/** How long tmux may take to detach the client. */
const LEAVE_TIMEOUT_MS = 2_000;
/** No viewer can follow more than 20 MB/s, and decoding all of it would keep a core busy. */
const FLOOD_BYTES = 2 * 1024 * 1024;
const FLOOD_WINDOW_MS = 100;
/** How long the end of a shell may go unnoticed by viewers. */
const WATCH_MS = 250;
/** Twenty snapshots per second of a flood. */
const FLOOD_PAUSE_MS = 50;
/** How long tmux may be silent before it is asked for a line, which flushes what it holds back. */
const QUIET_MS = 250;

/** Commands on stdin, the protocol on stdout. */
export type ControlProcess = ChildProcessByStdio<Writable, Readable, null>;

export class ControlClient {
  readonly #child: ControlProcess;
  readonly #identity: TerminalIdentity;
  readonly #clock: Clock;
  readonly #listener: TapListener;
  readonly #lines = new ControlLines();
  readonly #questions: ControlQuestions;
  readonly #exited: Promise<void>;
  #filter = new DisplayBytes();
  #paused = false;
  #floodFrom = 0;
  #floodBytes = 0;
  #watch: Timer | null = null;
  #quiet: Timer | null = null;
  /** A message other than a reply arrived since the last flush. */
  #hasNotified = false;
  #state: 'live' | 'ended' | 'exited' = 'live';

  /** `child` was just started. */
  constructor(options: {
    child: ControlProcess;
    identity: TerminalIdentity;
    clock: Clock;
    listener: TapListener;
  }) {
    this.#child = options.child;
    this.#identity = options.identity;
    this.#clock = options.clock;
    this.#listener = options.listener;
    this.#questions = new ControlQuestions({
      clock: this.#clock,
      write: (text) => this.#child.stdin.write(text),
      overdue: () => this.#child.kill('SIGKILL'),
    });
    this.#child.stdout.on('data', (bytes: Buffer) => {
      for (const message of this.#lines.push(bytes)) this.#handle(message);
      this.#questions.noteActivity();
      this.#awaitQuiet();
    });
    // A failed write is handled as the end of the program.
    this.#child.stdin.on('error', () => undefined);
    this.#watchForEnd();
    this.#exited = new Promise((resolve) => {
      const exited = () => {
        this.#end();
        resolve();
      };
      this.#child.on('close', exited).on('error', exited);
    });
  }

  /** The client answers and its terminal has not ended. */
  get live(): boolean {
    return this.#state === 'live';
  }

  /** The SGR code in effect for the next output. */
  get pen(): string {
    return this.#filter.pen.code();
  }

  /** Answers as the client program prints them, each with a line end. Throws `terminal_failed`. */
  async ask(
    commands: readonly TmuxCommand[],
    atAnswer: (text: string) => void = () => undefined,
  ): Promise<string> {
    if (this.#state === 'exited') throw new AppError('terminal_failed', 'tmux exited');
    this.#awaitQuiet();
    return this.#questions.ask(commands, atAnswer);
  }

  /**
   * Resolves when the client has exited. tmux 3.3a crashes when a client is killed just after its
   * start: call this only after it answered once, and so was attached.
   */
  async leave(): Promise<void> {
    const timer = this.#clock.after(LEAVE_TIMEOUT_MS, () => this.#child.kill('SIGKILL'));
    this.#child.stdin.end('detach-client\n');
    await this.#exited;
    timer.cancel();
  }

  #handle(message: ControlMessage): void {
    if (message.kind === 'reply') this.#questions.handleReply(message);
    else this.#hasNotified = true;
    if (message.kind === 'output') this.#handleOutput(message.pane, message.bytes);
    else if (message.kind === 'pause' && message.pane === this.#identity.pane) this.#skip();
  }

  #handleOutput(pane: string, bytes: Uint8Array): void {
    if (pane !== this.#identity.pane || this.#paused || this.#state !== 'live') return;
    const shown = this.#filter.push(bytes);
    if (shown.length > 0) this.#listener.output(shown);
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

  /** Drops bytes for a while; listeners are notified when output resumes. */
  #skip(): void {
    if (this.#paused || this.#state !== 'live') return;
    this.#paused = true;
    this.#clock.after(FLOOD_PAUSE_MS, () => this.#command('continue', () => this.#resume()));
  }

  #resume(): void {
    this.#paused = false;
    this.#floodBytes = 0;
    this.#filter = new DisplayBytes();
    if (this.#state === 'live') this.#listener.skipped();
  }

  #command(act: 'pause' | 'continue', atAnswer?: () => void): void {
    const command = ['refresh-client', '-A', `${this.#identity.pane}:${act}`];
    // It fails only with the client, whose end is reported anyway.
    this.ask([command], atAnswer).catch(() => undefined);
  }

  /** tmux does not report the end of a shell: each probe reads one file of the kernel. */
  #watchForEnd(): void {
    if (this.#state !== 'live') return;
    const { kind } = probeShell(this.#identity);
    if (kind === 'shell' || kind === 'program') {
      this.#watch = this.#clock.after(WATCH_MS, () => this.#watchForEnd());
      return;
    }
    const finish = () => {
      if (this.#state !== 'live') return;
      this.#state = 'ended';
      this.#listener.ended();
    };
    // Its last output comes before the answer.
    this.ask([['display-message', '-p', 'ended']], finish).catch(() => undefined);
  }

  #awaitQuiet(): void {
    if (this.#state === 'exited') return;
    this.#quiet?.cancel();
    this.#quiet = this.#clock.after(QUIET_MS, () => this.#flush());
  }

  /**
   * When tmux 3.3a pauses a client, replies and `%pause` itself can get stuck behind the bytes it
   * dropped until it has one more line to write. This asks for that line.
   */
  #flush(): void {
    if (!this.#hasNotified && !this.#questions.owed) return;
    this.#hasNotified = false;
    this.#questions.flush();
    this.#awaitQuiet();
  }

  #end(): void {
    const before = this.#state;
    this.#state = 'exited';
    this.#watch?.cancel();
    this.#quiet?.cancel();
    this.#questions.end();
    if (before === 'live') this.#listener.ended();
  }
}
