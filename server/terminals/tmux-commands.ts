/**
 * The tmux commands of the host as data, and how their answers read. tmux expands `#(…)` in many
 * arguments and splits others at `;`: nothing that a user or a program can choose is in any of them.
 */
import { AppError } from '../lib/app-error.ts';
import { environmentValue } from '../lib/marked-processes.ts';
import { readProcess } from '../lib/process-identity.ts';
import { TERMINAL_VARIABLE } from './end-terminal.ts';
import { screenLines } from './screen-lines.ts';
import { SCROLLBACK_ROWS } from './terminal-bounds.ts';
import {
  type Scrollback,
  type ScreenSnapshot,
  TERMINAL_COLS,
  TERMINAL_ROWS,
  type TerminalIdentity,
  type TypeOutcome,
  type TypeRequest,
} from './terminal.ts';

/** One command of tmux, a word each; no word holds a single quote. */
export type TmuxCommand = readonly string[];

const TAG = '@loopwatch_tag';
const IDENTITY_FORMAT = '#{pid} #{pane_id} #{pane_pid}';
const SCREEN_FORMAT =
  '#{pane_width} #{pane_height} #{cursor_y} #{cursor_x} #{cursor_flag} #{alternate_on}';
const HISTORY_LINES = String(SCROLLBACK_ROWS);
const ANSWER_TYPED = ['display-message', '-p', 'typed'];
const ANSWER_REFUSED = ['display-message', '-p', 'refused'];

/** Takes commands; gives the words for one call of the client program. */
export function toArguments(commands: readonly TmuxCommand[]): string[] {
  return commands.flatMap((command, index) => (index === 0 ? command : [';', ...command]));
}

/** Takes commands; gives one line of tmux's own language, for a control client or `if-shell`. */
export function toLine(commands: readonly TmuxCommand[]): string {
  const quote = (word: string) => (/^[\w-]+$/.test(word) ? word : `'${word}'`);
  return commands.map((command) => command.map(quote).join(' ')).join(' ; ');
}

export const FIND: TmuxCommand = ['display-message', '-p', '-t', 'main:', IDENTITY_FORMAT];

/** Asked behind `FIND`: the directory the terminal was opened in. */
export const WHERE: TmuxCommand = ['display-message', '-p', '-t', 'main:', '#{session_path}'];

/** Takes what `FIND` and `WHERE` answered; gives the directory, whatever is in its name. */
export function parseWhere(text: string): string {
  return text.slice(text.indexOf('\n') + 1).replace(/\n$/, '');
}

/** Takes the shell; gives what starts a server with its terminal and answers with its identity. */
export function openCommands(shell: string): TmuxCommand[] {
  const size = ['-x', String(TERMINAL_COLS), '-y', String(TERMINAL_ROWS)];
  // Two words after the last option, or tmux hands the line to a shell. Not a login shell: its
  // profile would replace the PATH that the daemon was started with.
  const session = ['new-session', '-d', '-P', '-F', IDENTITY_FORMAT, '-s', 'main', ...size];
  return [
    ['start-server'],
    // The server must outlive its terminal: so "closed" and "crashed" can be told apart.
    ['set-option', '-s', 'exit-empty', 'off'],
    // So must the tmux session: when it ends while a client comes or goes, tmux 3.3a crashes.
    ['set-option', '-g', 'remain-on-exit', 'on'],
    ['set-option', '-g', 'history-limit', HISTORY_LINES],
    ['set-option', '-g', 'default-terminal', 'screen-256color'],
    ['set-option', '-g', 'status', 'off'],
    // Nobody reads the window's name; renaming it costs tmux a look at each program.
    ['set-option', '-g', 'automatic-rename', 'off'],
    [...session, '--', shell, '-i'],
    // Nobody who attaches changes the size. Not before the session: tmux 3.3a crashes then.
    ['set-option', '-w', '-t', 'main:', 'window-size', 'manual'],
  ];
}

/** Takes an answer in the identity format; gives the identity, or null when a process is gone. */
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

/** A format that is 1 only in the very terminal that is meant, while its shell lives. */
function guard(identity: TerminalIdentity): string {
  const same = `#{&&:#{==:#{pid},${identity.hostPid}},#{==:#{pane_pid},${identity.shellPid}}}`;
  // A paste into a dead pane crashes tmux 3.3a.
  return `#{&&:${same},#{?pane_dead,0,1}}`;
}

/** Takes commands; gives one that runs them only in the terminal that is meant, and says so. */
function guarded(
  identity: TerminalIdentity,
  commands: readonly TmuxCommand[],
  { inFront, otherwise = [] }: { inFront?: string; otherwise?: readonly TmuxCommand[] } = {},
): TmuxCommand {
  // A name out of the kernel may hold anything; what is not plain is not compared here.
  const plain = inFront !== undefined && /^[\w.-]+$/.test(inFront);
  const condition = plain
    ? `#{&&:${guard(identity)},#{==:#{pane_current_command},${inFront}}}`
    : guard(identity);
  const then = [...commands, ANSWER_TYPED];
  const branches = [then, [...otherwise, ANSWER_REFUSED]].map((branch) =>
    branch.map((command) => command.join(' ')).join(' ; '),
  );
  return ['if-shell', '-F', '-t', identity.pane, condition, ...branches];
}

/** Takes a request and the buffer that holds its text, if there is any; gives what types it. */
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
  const inFront = request.inFront === undefined ? {} : { inFront: request.inFront };
  const otherwise = buffer === null ? [] : [['delete-buffer', '-b', buffer]];
  return guarded(identity, commands, { ...inFront, otherwise });
}

/** Takes key bytes; gives what presses them, as numbers. */
export function pressCommand(identity: TerminalIdentity, bytes: Uint8Array): TmuxCommand {
  const keys = Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0'));
  return guarded(identity, [['send-keys', '-H', '-t', identity.pane, ...keys]]);
}

export function interruptCommand(identity: TerminalIdentity): TmuxCommand {
  return guarded(identity, [['send-keys', '-t', identity.pane, 'C-c']]);
}

export function resizeCommand(identity: TerminalIdentity, cols: number, rows: number): TmuxCommand {
  const size = ['-x', String(cols), '-y', String(rows)];
  return guarded(identity, [['resize-window', '-t', identity.pane, ...size]]);
}

export function tagCommand(identity: TerminalIdentity): TmuxCommand {
  return ['show-options', '-p', '-q', '-v', '-t', identity.pane, TAG];
}

/** Takes what `guarded` answered. */
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

/** Takes what `screenCommands` answered. Throws `terminal_failed` when the terminal is another. */
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

/** Takes what `historyCommand` answered; gives the rows kept above the screen. */
export function parseHistory(text: string): number {
  return numbersOf(text)[0] ?? 0;
}

/** Takes the rows kept, and which of them are wanted, from 0 for the oldest. */
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

/** Takes what `scrollbackCommands` answered; null when rows came or went since `total` was asked. */
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

/** The numbers behind the guard's 1. */
function numbersOf(head: string): number[] {
  const [same, ...numbers] = head.trim().split(' ').map(Number);
  if (same !== 1) throw failed('the terminal was replaced');
  return numbers;
}

function failed(message: string): AppError {
  return new AppError('terminal_failed', message);
}
