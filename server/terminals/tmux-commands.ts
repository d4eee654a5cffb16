/**
 * The tmux commands of the host as data, and how to parse their answers. tmux expands `#(…)` in
 * many arguments and splits others at `;`: none of them holds anything a user or a program can
 * choose.
 */
import { AppError } from '../lib/app-error.ts';
import { environmentValue } from '../lib/processes/marked-processes.ts';
import { readProcess } from '../lib/processes/process-identity.ts';
import { TERMINAL_VARIABLE } from './end-terminal.ts';
import { screenLines } from './screen-lines.ts';
import { SCROLLBACK_ROWS } from './terminal-bounds.ts';
import {
  type ScreenSnapshot,
  type Scrollback,
  TERMINAL_COLS,
  TERMINAL_ROWS,
  type TerminalIdentity,
  type TerminalKey,
  type TypeOutcome,
  type TypeRequest,
} from './terminal.ts';

/** One tmux command as its arguments; none holds a single quote. */
export type TmuxCommand = readonly string[];

const TAG = '@loopwatch_tag';
const IDENTITY_FORMAT = '#{pid} #{pane_id} #{pane_pid}';
const SCREEN_FORMAT =
  '#{pane_width} #{pane_height} #{cursor_y} #{cursor_x} #{cursor_flag} #{alternate_on}';
const HISTORY_LINES = String(SCROLLBACK_ROWS);
const ANSWER_TYPED = ['display-message', '-p', 'typed'];
const ANSWER_REFUSED = ['display-message', '-p', 'refused'];

/** The arguments for one call of the client program. */
export function toArguments(commands: readonly TmuxCommand[]): string[] {
  return commands.flatMap((command, index) => (index === 0 ? command : [';', ...command]));
}

/** One line of tmux's command language, for a control client or `if-shell`. */
export function toLine(commands: readonly TmuxCommand[]): string {
  const quote = (word: string) => (/^[\w-]+$/.test(word) ? word : `'${word}'`);
  return commands.map((command) => command.map(quote).join(' ')).join(' ; ');
}

export const FIND: TmuxCommand = ['display-message', '-p', '-t', 'main:', IDENTITY_FORMAT];

/** Sent after `FIND`: the directory the terminal was opened in. */
export const WHERE: TmuxCommand = ['display-message', '-p', '-t', 'main:', '#{session_path}'];

/** The directory in the answer to `FIND` and `WHERE`. Its name may contain anything. */
export function parseWhere(text: string): string {
  return text.slice(text.indexOf('\n') + 1).replace(/\n$/, '');
}

/** Starts a server with its terminal; the answer is its identity. */
export function openCommands(shell: string): TmuxCommand[] {
  const size = ['-x', String(TERMINAL_COLS), '-y', String(TERMINAL_ROWS)];
  // Two arguments after the last option, or tmux passes the line to a shell. Not a login shell: its
  // profile would replace the PATH that the daemon was started with.
  const session = ['new-session', '-d', '-P', '-F', IDENTITY_FORMAT, '-s', 'main', ...size];
  return [
    ['start-server'],
    // The server must outlive its terminal, so that "closed" and "crashed" can be distinguished.
    ['set-option', '-s', 'exit-empty', 'off'],
    // So must the tmux session: when it ends while a client attaches or detaches, tmux 3.3a
    // crashes.
    ['set-option', '-g', 'remain-on-exit', 'on'],
    ['set-option', '-g', 'history-limit', HISTORY_LINES],
    ['set-option', '-g', 'default-terminal', 'screen-256color'],
    ['set-option', '-g', 'status', 'off'],
    // The window's name is never read; renaming it costs tmux a check of each program.
    ['set-option', '-g', 'automatic-rename', 'off'],
    [...session, '--', shell, '-i'],
    // No attached client changes the size. Not before the session: tmux 3.3a crashes then.
    ['set-option', '-w', '-t', 'main:', 'window-size', 'manual'],
  ];
}

/** Parses the identity format; null when a process has ended. */
export function parseIdentity(text: string): TerminalIdentity | null {
  const match = /^(\d+) (%\d+) (\d+)$/m.exec(text);
  const host = readProcess(Number(match?.[1] ?? 0));
  const shell = readProcess(Number(match?.[3] ?? 0));
  if (match?.[2] === undefined || host === null || shell === null) return null;
  return {
    hostPid: host.pid,
    hostStartedAt: host.startedAt,
    pane: match[2],
    shellPid: shell.pid,
    shellStartedAt: shell.startedAt,
    ...markOf(host.pid),
  };
}

/** A server of an earlier version has none. */
function markOf(hostPid: number): { mark?: string } {
  const mark = environmentValue(hostPid, TERMINAL_VARIABLE);
  return mark === null ? {} : { mark };
}

/** A format that is 1 only in that exact terminal while its shell lives. */
function guard(identity: TerminalIdentity): string {
  const same = `#{&&:#{==:#{pid},${identity.hostPid}},#{==:#{pane_pid},${identity.shellPid}}}`;
  // A paste into a dead pane crashes tmux 3.3a.
  return `#{&&:${same},#{?pane_dead,0,1}}`;
}

/** A command that runs `commands` only in the intended terminal, and answers whether it did. */
function guarded(
  identity: TerminalIdentity,
  commands: readonly TmuxCommand[],
  { foreground, otherwise = [] }: { foreground?: string; otherwise?: readonly TmuxCommand[] } = {},
): TmuxCommand {
  // The kernel allows any name; one that is not plain is not compared here.
  const plain = foreground !== undefined && /^[\w.-]+$/.test(foreground);
  const condition = plain
    ? `#{&&:${guard(identity)},#{==:#{pane_current_command},${foreground}}}`
    : guard(identity);
  const then = [...commands, ANSWER_TYPED];
  const branches = [then, [...otherwise, ANSWER_REFUSED]].map((branch) =>
    branch.map((command) => command.join(' ')).join(' ; '),
  );
  return ['if-shell', '-F', '-t', identity.pane, condition, ...branches];
}

/** `buffer` holds the text to paste, if any. */
export function typeCommand(
  identity: TerminalIdentity,
  request: TypeRequest,
  buffer: string | null,
): TmuxCommand {
  const target = ['-t', identity.pane];
  const commands = [
    ...(request.tag === undefined ? [] : [['set-option', '-p', ...target, TAG, request.tag]]),
    ...(request.clearLine === true ? [['send-keys', ...target, 'C-e', 'C-u']] : []),
    ...(buffer === null ? [] : [['paste-buffer', '-p', '-r', '-d', '-b', buffer, ...target]]),
    ...(request.submit ? [['send-keys', ...target, 'Enter']] : []),
  ];
  const foreground = request.foreground === undefined ? {} : { foreground: request.foreground };
  const otherwise = buffer === null ? [] : [['delete-buffer', '-b', buffer]];
  return guarded(identity, commands, { ...foreground, otherwise });
}

/** Presses key bytes, as numbers. */
export function pressCommand(identity: TerminalIdentity, bytes: Uint8Array): TmuxCommand {
  const keys = Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0'));
  return guarded(identity, [['send-keys', '-H', '-t', identity.pane, ...keys]]);
}

const KEY_NAMES: Record<TerminalKey, string> = { ctrl_c: 'C-c', escape: 'Escape' };

export function keyCommand(identity: TerminalIdentity, key: TerminalKey): TmuxCommand {
  return guarded(identity, [['send-keys', '-t', identity.pane, KEY_NAMES[key]]]);
}

export function resizeCommand(identity: TerminalIdentity, cols: number, rows: number): TmuxCommand {
  const size = ['-x', String(cols), '-y', String(rows)];
  return guarded(identity, [['resize-window', '-t', identity.pane, ...size]]);
}

export function tagCommand(identity: TerminalIdentity): TmuxCommand {
  return ['show-options', '-p', '-q', '-v', '-t', identity.pane, TAG];
}

/** Parses the answer of `guarded`. */
export function parseOutcome(text: string): TypeOutcome {
  if (text.includes('typed')) return 'typed';
  return text.includes('refused') ? 'refused' : 'unknown';
}

export function screenCommands(identity: TerminalIdentity): TmuxCommand[] {
  const target = ['-t', identity.pane];
  return [
    ['display-message', '-p', ...target, `${guard(identity)} ${SCREEN_FORMAT}`],
    ['capture-pane', '-p', '-e', '-N', ...target],
  ];
}

/**
 * Parses the answer of `screenCommands`. Throws `terminal_failed` when the terminal is another one.
 */
export function parseScreen(text: string): ScreenSnapshot {
  const [head, body] = divided(text);
  const [cols = 0, rows = 0, row = 0, column = 0, visible, alternate] = numbersOf(head);
  const lines = screenLines(body);
  // A program can draw what looks like the end of an answer: then rows are missing.
  if (lines.length !== rows)
    throw failed('tmux returned a different number of rows than announced');
  const cursor: [number, number] = [row, column];
  return { cols, rows, cursor, cursorVisible: visible === 1, alternate: alternate === 1, lines };
}

export function historyCommand(identity: TerminalIdentity): TmuxCommand {
  return ['display-message', '-p', '-t', identity.pane, `${guard(identity)} #{history_size}`];
}

/** The rows above the screen, from the answer of `historyCommand`. */
export function parseHistory(text: string): number {
  return numbersOf(text)[0] ?? 0;
}

/** `total` rows are kept; `from` 0 is the oldest. */
export function scrollbackCommands(
  identity: TerminalIdentity,
  total: number,
  page: { from: number; lines: number },
): TmuxCommand[] {
  const first = page.from - total;
  const rows = ['-S', String(first), '-E', String(first + page.lines - 1)];
  const capture = ['capture-pane', '-p', '-e', '-N', ...rows, '-t', identity.pane];
  return [historyCommand(identity), capture];
}

/**
 * Parses the answer of `scrollbackCommands`; null when the number of rows changed since `total` was
 * read.
 */
export function parseScrollback(text: string, total: number, offset: number): Scrollback | null {
  const [head, body] = divided(text);
  if (numbersOf(head)[0] !== total) return null;
  return { total, offset, lines: screenLines(body) };
}

function divided(text: string): [head: string, body: string] {
  const headEnd = text.indexOf('\n');
  if (headEnd === -1) return [text, ''];
  return [text.slice(0, headEnd), text.slice(headEnd + 1).replace(/\n$/, '')];
}

/** The numbers after the guard's 1. */
function numbersOf(head: string): number[] {
  const [same, ...numbers] = head.trim().split(' ').map(Number);
  if (same !== 1) throw failed('the terminal was replaced');
  return numbers;
}

function failed(message: string): AppError {
  return new AppError('terminal_failed', message);
}
