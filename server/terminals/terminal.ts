/**
 * The terminal port: what a host must do for a session. Knows nothing of agents or loops.
 * Everything that types names the terminal by its full identity, so that a terminal which was
 * replaced behind the same name never receives what was meant for the old one.
 */
import type { ProcessState } from '../lib/process-identity.ts';

export const TERMINAL_COLS = 120;
export const TERMINAL_ROWS = 40;

/** Plain data, stored with the session; the same terminal has the same identity for its whole life. */
export interface TerminalIdentity {
  hostPid: number;
  hostStartedAt: string;
  pane: string;
  shellPid: number;
  shellStartedAt: string;
}

/** What the processes say about a terminal, without asking its host. */
export type Look =
  | { kind: 'shell'; name: string }
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
  lines: string[];
}

/** `refused`: the terminal was no longer the one meant, nothing was typed. `unknown`: no answer. */
export type TypeOutcome = 'typed' | 'refused' | 'failed' | 'unknown';

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

export interface TerminalHost {
  readonly kind: 'tmux' | 'pty';
  /** Opens a shell in `cwd`. Throws an AppError `terminal_failed`. */
  open(name: string, cwd: string): Promise<TerminalIdentity>;
  /** The terminal behind a name if its host has one, whether or not an identity was stored. */
  find(name: string): Promise<TerminalIdentity | null>;
  look(identity: TerminalIdentity): Look;
  /** Throws an AppError `terminal_failed`. */
  screen(name: string, identity: TerminalIdentity): Promise<ScreenSnapshot>;
  type(name: string, identity: TerminalIdentity, request: TypeRequest): Promise<TypeOutcome>;
  /** Presses Ctrl-C. */
  interrupt(name: string, identity: TerminalIdentity): Promise<TypeOutcome>;
  /** The tag of the newest tagged text, or null. */
  tagOf(name: string, identity: TerminalIdentity): Promise<string | null>;
  /** Ends the shell and what runs in it. Succeeds when there is nothing to end. */
  close(name: string): Promise<void>;
  /** Lets go of what the daemon itself holds; terminals that can outlive it do. */
  dispose(): Promise<void>;
}
