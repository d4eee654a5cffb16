/**
 * The terminal port: what a host must do for a session. Knows nothing of agents or loops. Every
 * call that types names the terminal by its full identity, so that a terminal which was replaced
 * under the same name never receives input for the old one.
 */
import type { Leftover } from '../../shared/schema/leftover.ts';
import type { ProcessIdentity, ProcessState } from '../lib/processes/process-identity.ts';

export const TERMINAL_COLS = 120;
export const TERMINAL_ROWS = 40;
export const COLS_BOUNDS = [20, 500] as const;
export const ROWS_BOUNDS = [5, 200] as const;

/** Plain data, stored with the session; constant for the life of a terminal. */
export interface TerminalIdentity {
  hostPid: number;
  hostStartedAt: string;
  pane: string;
  shellPid: number;
  shellStartedAt: string;
  /** In the environment of everything started there (`TERMINAL_VARIABLE`); unguessable. */
  mark?: string;
}

/** The foreground according to the processes, without the host. */
export type Foreground =
  | { kind: 'shell'; name: string; process: ProcessIdentity }
  /** `forked`: still a copy of the shell, about to become its program. */
  | { kind: 'program'; program: ProcessState; forked: boolean }
  /** The shell ended while the host lives: a person closed it. */
  | { kind: 'closed' }
  /** The host itself has ended. */
  | { kind: 'lost' };

/** Text with SGR codes only; every line starts from a plain state. */
export interface ScreenSnapshot {
  cols: number;
  rows: number;
  cursor: [row: number, column: number];
  /** False when the program hid it, as a dialog without a text field does. */
  cursorVisible: boolean;
  /** The program draws on the alternate screen, which has no scrollback. */
  alternate: boolean;
  /** The SGR code in effect for the text that follows, as far as the host knows; empty when plain. */
  pen?: string;
  lines: string[];
}

/**
 * `refused`: it was no longer the same terminal, nothing was typed. `too_long`: the foreground
 * program reads whole lines and would lose a part, nothing was typed. `unknown`: no answer.
 */
export type TypeOutcome = 'typed' | 'refused' | 'too_long' | 'failed' | 'unknown';

export type TerminalKey = 'ctrl_c' | 'escape';

export interface TypeRequest {
  /** Control bytes other than tab and newline are removed. */
  text: string;
  submit: boolean;
  /** Typed only while this program (its short name) is in the foreground. */
  foreground?: string;
  /** Empty the line being edited first: a half-typed line must not become part of ours. */
  clearLine?: boolean;
  /** Leave this mark on the terminal in the same step, as proof that the text was typed. */
  tag?: string;
}

/** A part of the scrollback; row 0 is the oldest one kept. */
export interface Scrollback {
  /** Rows kept now; the host drops the oldest beyond its bound. */
  total: number;
  /** Of the first line returned. */
  offset: number;
  lines: string[];
}

/** Follows a terminal until it is closed. */
export interface TerminalTap {
  /** The screen as of every byte sent so far: later output follows it exactly. */
  snapshot(): Promise<ScreenSnapshot>;
  /** A person's key bytes, verbatim, in order, at most once. */
  write(bytes: Uint8Array): void;
  close(): void;
}

export interface TapListener {
  /**
   * What the program drew, in order, as bytes an emulator may see (`display-bytes.ts`); never ends
   * inside a character or a sequence. The listener may keep the buffer, but not change it.
   */
  output(bytes: Uint8Array): void;
  /** Bytes were dropped because they came too fast: take a snapshot. */
  skipped(): void;
  /**
   * The terminal or its host has ended, or the tap failed; the last call. Output from the moment
   * the shell ended may be missing.
   */
  ended(): void;
}

/** A terminal that exists, whether or not it was stored. */
export interface RunningTerminal {
  name: string;
  /** Where its shell was started. */
  cwd: string;
  identity: TerminalIdentity;
}

export interface TerminalHost {
  readonly kind: 'tmux' | 'pty';
  /** Opens a shell in `cwd`. Throws an AppError `terminal_failed`. */
  open(name: string, cwd: string): Promise<TerminalIdentity>;
  /** The terminal of that name if its host has one, whether or not an identity was stored. */
  find(name: string): Promise<TerminalIdentity | null>;
  /** Every living terminal of this home, stored or not. */
  living(): Promise<RunningTerminal[]>;
  foreground(identity: TerminalIdentity): Foreground;
  /** Throws an AppError `terminal_failed`. */
  screen(name: string, identity: TerminalIdentity): Promise<ScreenSnapshot>;
  type(name: string, identity: TerminalIdentity, request: TypeRequest): Promise<TypeOutcome>;
  /** Throws an AppError `terminal_failed`. Values outside the bounds are clamped. */
  resize(name: string, identity: TerminalIdentity, cols: number, rows: number): Promise<void>;
  /** `from` counts from the oldest row kept; negative from the newest. Throws `terminal_failed`. */
  scrollback(
    name: string,
    identity: TerminalIdentity,
    page: { from: number; lines: number },
  ): Promise<Scrollback>;
  /**
   * When the terminal was last written to, in milliseconds since 1970, without its host; null when
   * it has ended. Coarse: the kernel rounds to 8 s.
   */
  changedAt(identity: TerminalIdentity): number | null;
  /** Taps of one terminal share their cost. Throws `terminal_failed`. */
  tap(name: string, identity: TerminalIdentity, listener: TapListener): Promise<TerminalTap>;
  press(name: string, identity: TerminalIdentity, key: TerminalKey): Promise<TypeOutcome>;
  /** The tag of the newest tagged text, or null. */
  tagOf(name: string, identity: TerminalIdentity): Promise<string | null>;
  /**
   * Ends the shell, its host and every process started there, wherever it moved and whether or not
   * the host answers. `identity` is the one stored for that name. Returns what could not be ended.
   * Succeeds when there is nothing to end.
   */
  close(name: string, identity?: TerminalIdentity | null): Promise<Leftover[]>;
  /** Releases what the daemon itself holds; terminals that can outlive it do. */
  dispose(): Promise<void>;
}
