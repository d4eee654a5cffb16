/** One terminal inside the daemon: a shell, its screen, and its listeners. */
import { type IPty, spawn } from '@lydell/node-pty';
import { withUserUmask } from '../lib/files/user-umask.ts';
import { AppError } from '../lib/app-error.ts';
import type { Clock } from '../lib/clock.ts';
import { isAlive, readProcess } from '../lib/processes/process-identity.ts';
import { randomId } from '../lib/random-id.ts';
import { cellLines } from './cell-lines.ts';
import { DisplayBytes } from './display-bytes.ts';
import { type EmulatedScreen, newScreen } from './emulated-screen.ts';
import { TERMINAL_VARIABLE } from './end-terminal.ts';
import { PtyWriter } from './pty-writer.ts';
import { TapLine } from './tap-line.ts';
import { SCROLLBACK_ROWS, scrollbackPage } from './terminal-bounds.ts';
import {
  type Scrollback,
  type ScreenSnapshot,
  TERMINAL_COLS,
  TERMINAL_ROWS,
  type TapListener,
  type TerminalIdentity,
  type TerminalTap,
} from './terminal.ts';

/** Undrawn bytes; above this the program is paused until the screen caught up. */
const MAX_UNDRAWN_BYTES = 256 * 1024;
const CURSOR_MODE = 25;
const END_MS = 2_000;

export class PtyTerminal {
  readonly identity: TerminalIdentity;
  tag: string | null = null;
  readonly #pty: IPty;
  readonly #clock: Clock;
  readonly #writer: PtyWriter;
  readonly #screen: EmulatedScreen;
  /** Before the screen too: a huge count in a sequence would keep the daemon busy. */
  readonly #filter = new DisplayBytes();
  readonly #lines = new Set<TapLine>();
  #cursorVisible = true;
  #disposed = false;
  #undrawn = 0;
  /** The filter runs ahead of the screen. */
  #drawnPen = '';

  /** Starts the shell. Throws `terminal_failed`. */
  constructor(shell: string, cwd: string, environment: NodeJS.ProcessEnv, clock: Clock) {
    const size = { cols: TERMINAL_COLS, rows: TERMINAL_ROWS };
    const name = 'xterm-256color';
    // Bytes, not text: a character may be split over two reads.
    const mark = randomId();
    const env = { ...environment, [TERMINAL_VARIABLE]: mark };
    const options = { ...size, cwd, env, name, encoding: null };
    this.#pty = withUserUmask(() => spawn(shell, ['-i'], options));
    this.#clock = clock;
    this.#writer = new PtyWriter(this.#pty, clock);
    this.identity = { ...identityOf(this.#pty, shell), mark };
    this.#screen = newScreen(size, SCROLLBACK_ROWS);
    this.#followCursorMode();
    // Without an encoding it passes bytes, although its types say strings.
    this.#pty.onData((bytes: unknown) => this.#draw(bytes as Buffer));
    // Its last output comes first.
    this.#pty.onExit(() => void this.#drawn(() => this.#notifyEnd()).catch(() => undefined));
  }

  get bracketedPaste(): boolean {
    return this.#screen.modes.bracketedPasteMode;
  }

  /** In order; false when the program cannot receive it. */
  write(input: string | Uint8Array): boolean {
    return this.#isAlive() && this.#writer.write(input);
  }

  /** Waits until everything read is drawn, or the terminal has ended. */
  async drawAll(): Promise<void> {
    await this.#drawn(() => undefined).catch(() => undefined);
  }

  /** The screen once everything read is drawn. */
  async snapshot(line?: TapLine): Promise<ScreenSnapshot> {
    return this.#drawn(() => {
      const { active } = this.#screen.buffer;
      const { cols, rows } = this.#screen;
      return {
        cols,
        rows,
        cursor: [active.cursorY, active.cursorX] as [number, number],
        cursorVisible: this.#cursorVisible,
        alternate: active.type === 'alternate',
        pen: this.#drawnPen,
        lines: cellLines(active, active.baseY, rows, cols),
      };
    }, line);
  }

  async scrollback(wanted: { from: number; lines: number }): Promise<Scrollback> {
    return this.#drawn(() => {
      const { normal } = this.#screen.buffer;
      const total = normal.baseY;
      const { from, lines } = scrollbackPage(total, wanted);
      return { total, offset: from, lines: cellLines(normal, from, lines, this.#screen.cols) };
    });
  }

  /** Output for the old size is drawn first. Throws `terminal_failed`. */
  async resize(cols: number, rows: number): Promise<void> {
    await this.#drawn(() => {
      if (!this.#isAlive()) throw closed();
      this.#screen.resize(cols, rows);
      this.#pty.resize(cols, rows);
    });
  }

  /** Throws `terminal_failed` when the shell has ended. */
  tap(listener: TapListener): TerminalTap {
    if (!this.#isAlive()) throw closed();
    const line = new TapLine(listener);
    this.#lines.add(line);
    return {
      snapshot: async () => this.snapshot(line),
      write: (bytes) => void this.write(bytes),
      close: () => {
        line.close();
        this.#lines.delete(line);
      },
    };
  }

  /** Ends the shell, by force if it has not ended within 2 s, and notifies the listeners. */
  end(): void {
    if (this.#isAlive()) {
      this.#pty.kill();
      // A shell that gets SIGHUP just before it reads its next line can miss it.
      const force = this.#clock.after(END_MS, () => {
        if (this.#isAlive()) this.#pty.kill('SIGKILL');
      });
      this.#pty.onExit(() => force.cancel());
    }
    this.#notifyEnd();
    this.#disposed = true;
    this.#screen.dispose();
  }

  #draw(bytes: Buffer): void {
    if (this.#disposed) return;
    const shown = this.#filter.push(bytes);
    if (shown.length === 0) return;
    const pen = this.#filter.pen.code();
    this.#undrawn += shown.length;
    if (this.#undrawn > MAX_UNDRAWN_BYTES) this.#pty.pause();
    this.#screen.write(shown, () => {
      this.#undrawn -= shown.length;
      if (this.#undrawn <= MAX_UNDRAWN_BYTES) this.#pty.resume();
      this.#drawnPen = pen;
      for (const line of this.#lines) line.output(shown);
    });
  }

  /**
   * Runs `read` once everything received is drawn; the answer keeps its position in the output to
   * `line`.
   */
  async #drawn<Result>(read: () => Result, line?: TapLine): Promise<Result> {
    return new Promise((resolve, reject) => {
      if (this.#disposed) reject(closed());
      else
        this.#screen.write('', () => {
          try {
            if (this.#disposed) throw closed();
            const result = read();
            if (line === undefined) resolve(result);
            else line.answer(() => resolve(result));
          } catch (error) {
            reject(error instanceof AppError ? error : closed());
          }
        });
    });
  }

  #notifyEnd(): void {
    for (const line of this.#lines) line.ended();
    this.#lines.clear();
  }

  #isAlive(): boolean {
    const { shellPid: pid, shellStartedAt: startedAt } = this.identity;
    return isAlive({ pid, startedAt });
  }

  /** The emulator draws no cursor and does not report whether one is shown. */
  #followCursorMode(): void {
    const { parser } = this.#screen;
    const follow = (visible: boolean, asked: boolean) => {
      if (asked) this.#cursorVisible = visible;
      // The emulator itself must process it too.
      return false;
    };
    parser.registerCsiHandler({ prefix: '?', final: 'h' }, (modes) =>
      follow(true, modes.includes(CURSOR_MODE)),
    );
    parser.registerCsiHandler({ prefix: '?', final: 'l' }, (modes) =>
      follow(false, modes.includes(CURSOR_MODE)),
    );
    parser.registerCsiHandler({ intermediates: '!', final: 'p' }, () => follow(true, true));
    parser.registerEscHandler({ final: 'c' }, () => follow(true, true));
  }
}

function identityOf(pty: IPty, shell: string): TerminalIdentity {
  const host = readProcess(process.pid);
  const child = readProcess(pty.pid);
  if (host === null || child === null) {
    throw new AppError('terminal_failed', `the shell ${shell} exited immediately`);
  }
  return {
    hostPid: host.pid,
    hostStartedAt: host.startedAt,
    pane: 'pty',
    shellPid: child.pid,
    shellStartedAt: child.startedAt,
  };
}

function closed(): AppError {
  return new AppError('terminal_failed', 'the terminal was closed');
}
