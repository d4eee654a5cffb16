/**
 * The terminal port: what a host must do for a session. Knows nothing of agents or loops.
 * Everything that types names the terminal by its full identity, so that a terminal which was
 * replaced behind the same name never receives what was meant for the old one.
 */
import type { Leftover } from '../../shared/schema/leftover.ts';
import type { ProcessIdentity, ProcessState } from '../lib/process-identity.ts';

export const TERMINAL_COLS = 120;
export const TERMINAL_ROWS = 40;
export const COLS_BOUNDS = [20, 500] as const;
export const ROWS_BOUNDS = [5, 200] as const;

/** Plain data, stored with the session; the same terminal has the same identity for its whole life. */
export interface TerminalIdentity {
  hostPid: number;
  hostStartedAt: string;
  pane: string;
  shellPid: number;
  shellStartedAt: string;
  /** In the environment of everything that was started there (`TERMINAL_VARIABLE`); unguessable. */
  mark?: string;
}

/** What the processes say about a terminal, without asking its host. */
export type Foreground =
  | { kind: 'shell'; name: string; process: ProcessIdentity }
  /** `forked`: still a copy of the shell, about to become the program it was told to start. */
  | { kind: 'program'; program: ProcessState; forked: boolean }
  /** The shell ended while the host lives: somebody closed it. */
  | { kind: 'closed' }
  /** The host itself is gone. */
  | { kind: 'lost' };

/** Text with SGR codes only; every line starts from a plain state. */
export interface ScreenSnapshot {
  cols: number;
  rows: number;
  cursor: [row: number, column: number];
  /** The program hid it, as a dialog without a text field does. */
  cursorVisible: boolean;
  /** The program draws on the alternate screen, which has no scrollback. */
  alternate: boolean;
  /** The code that text which follows is drawn with, as far as the host knows; empty when plain. */
  pen?: string;
  lines: string[];
}

/**
 * `refused`: the terminal was no longer the one meant, nothing was typed. `too_long`: the program in
 * front reads whole lines and would lose a part, nothing was typed. `unknown`: no answer.
 */
export type TypeOutcome = 'typed' | 'refused' | 'too_long' | 'failed' | 'unknown';

export interface TypeRequest {
  /** Control bytes other than tab and newline are removed. */
  text: string;
  submit: boolean;
  /** Typed only while this program (its short name) is in front. */
  inFront?: string;
  /** Empty the line being edited first: a half-typed line must not become part of ours. */
  clearLine?: boolean;
  /** Leave this mark on the terminal in the same step, as the proof that the text was typed. */
  tag?: string;
}

/** A part of what scrolled off the screen; row 0 is the oldest one kept. */
export interface Scrollback {
  /** Rows kept now; the oldest are dropped beyond the host's bound. */
  total: number;
  /** Of the first line given. */
  offset: number;
  lines: string[];
}

/** One look into a terminal that goes on until it is closed. */
export interface TerminalTap {
  /** The screen as of every byte told so far: what is told afterwards follows it exactly. */
  snapshot(): Promise<ScreenSnapshot>;
  /** Key bytes of a person, as they are, in order, at most once. */
  write(bytes: Uint8Array): void;
  close(): void;
}

export interface TapListener {
  /**
   * What the program drew, in order, as bytes an emulator may see (`display-bytes.ts`); never ends
   * inside a character or a sequence. The listener may keep the buffer, but not change it.
   */
  output(bytes: Uint8Array): void;
  /** Bytes were left out because they came faster than they could be taken: take a snapshot. */
  skipped(): void;
  /**
   * The terminal or its host is gone, or the tap failed; nothing more is told. What a program wrote
   * in the moment its shell ended may have been left out.
   */
  ended(): void;
}

/** A terminal that is there, whether or not anybody knows of it. */
export interface LivingTerminal {
  name: string;
  /** Where its shell was started. */
  cwd: string;
  identity: TerminalIdentity;
}

export interface TerminalHost {
  readonly kind: 'tmux' | 'pty';
  /** Opens a shell in `cwd`. Throws an AppError `terminal_failed`. */
  open(name: string, cwd: string): Promise<TerminalIdentity>;
  /** The terminal behind a name if its host has one, whether or not an identity was stored. */
  find(name: string): Promise<TerminalIdentity | null>;
  /** Every terminal of this home that lives, also those nobody has stored. */
  living(): Promise<LivingTerminal[]>;
  foreground(identity: TerminalIdentity): Foreground;
  /** Throws an AppError `terminal_failed`. */
  screen(name: string, identity: TerminalIdentity): Promise<ScreenSnapshot>;
  type(name: string, identity: TerminalIdentity, request: TypeRequest): Promise<TypeOutcome>;
  /** Throws an AppError `terminal_failed`. Columns and rows outside the bounds are brought inside. */
  resize(name: string, identity: TerminalIdentity, cols: number, rows: number): Promise<void>;
  /** `from` counts from the oldest row kept; negative from the newest. Throws `terminal_failed`. */
  scrollback(
    name: string,
    identity: TerminalIdentity,
    page: { from: number; lines: number },
  ): Promise<Scrollback>;
  /**
   * When the terminal was last written to, in milliseconds since 1970, without asking its host; null
   * when it is gone. Coarse: the kernel rounds to 8 s.
   */
  changedAt(identity: TerminalIdentity): number | null;
  /** Lets somebody look on. Taps of one terminal share what they cost. Throws `terminal_failed`. */
  tap(name: string, identity: TerminalIdentity, listener: TapListener): Promise<TerminalTap>;
  /** Presses Ctrl-C. */
  interrupt(name: string, identity: TerminalIdentity): Promise<TypeOutcome>;
  /** The tag of the newest tagged text, or null. */
  tagOf(name: string, identity: TerminalIdentity): Promise<string | null>;
  /**
   * Ends the shell, its host and every process that was started there, wherever it moved and whether
   * or not the host answers. `identity` is the terminal that was known under that name. Gives what
   * could not be ended. Succeeds when there is nothing to end.
   */
  close(name: string, identity?: TerminalIdentity | null): Promise<Leftover[]>;
  /** Lets go of what the daemon itself holds; terminals that can outlive it do. */
  dispose(): Promise<void>;
}
