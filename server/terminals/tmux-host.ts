/**
 * Terminals in tmux, one private server (socket) per session: a server that crashes takes one
 * session along, and the user's own tmux is never touched. Sessions outlive the daemon.
 *
 * tmux expands `#(…)` in many arguments and splits others at `;`. So nothing a user can choose is
 * ever an argument: the directory is the client's own, text travels through a paste buffer, names
 * are socket file names out of a closed alphabet.
 */
import { join } from 'node:path';
import { userInfo } from 'node:os';
import { AppError } from '../lib/app-error.ts';
import { execFile, type ExecResult } from '../lib/exec-file.ts';
import { readProcess } from '../lib/process-identity.ts';
import { randomId } from '../lib/random-id.ts';
import { lookAtShell } from './look-at-shell.ts';
import { screenLines } from './screen-lines.ts';
import {
  type ScreenSnapshot,
  TERMINAL_COLS,
  TERMINAL_ROWS,
  type TerminalHost,
  type TerminalIdentity,
  type TypeOutcome,
  type TypeRequest,
} from './terminal.ts';
import { typedText } from './typed-text.ts';

const TMUX_TIMEOUT_MS = 5_000;
const TAG = '@loopwatch_tag';
const IDENTITY_FORMAT = '#{pid} #{pane_id} #{pane_pid}';
const HISTORY_LINES = '10000';

export function createTmuxHost(options: {
  socketDirectory: string;
  environment: NodeJS.ProcessEnv;
}): TerminalHost {
  const { socketDirectory, environment } = options;
  const shell = environment['SHELL'] ?? userInfo().shell ?? '/bin/sh';

  async function tmux(
    name: string,
    args: readonly string[],
    more: { cwd?: string; input?: string } = {},
  ): Promise<ExecResult> {
    const socket = join(socketDirectory, name);
    return execFile('tmux', ['-S', socket, '-f', '/dev/null', ...args], {
      env: environment,
      timeoutMs: TMUX_TIMEOUT_MS,
      ...more,
    });
  }

  async function find(name: string): Promise<TerminalIdentity | null> {
    const answer = await tmux(name, ['display-message', '-p', '-t', 'main:', IDENTITY_FORMAT]);
    return answer.ok ? parseIdentity(answer.stdout) : null;
  }

  return {
    kind: 'tmux',
    find,
    look: lookAtShell,

    async open(name, cwd) {
      const left = await find(name);
      if (left !== null) return left;
      // A server whose terminal was closed stays behind with nothing in it.
      await tmux(name, ['kill-server']);
      const answer = await tmux(name, openArguments(shell), { cwd });
      if (!answer.ok && answer.code === 'ENOENT') {
        throw new AppError(
          'terminal_unavailable',
          'tmux is not installed; install it and try again',
        );
      }
      const identity = answer.ok ? parseIdentity(answer.stdout) : await find(name);
      if (identity === null) throw failed(`tmux could not open a terminal${whyNot(answer)}`);
      return identity;
    },

    async screen(name, identity) {
      const format = '#{pane_width} #{pane_height} #{cursor_y} #{cursor_x}';
      const target = ['-t', identity.pane];
      const size = ['display-message', '-p', ...target, `${guard(identity)} ${format}`];
      const answer = await tmux(name, [...size, ';', 'capture-pane', '-p', '-e', ...target]);
      if (!answer.ok) throw failed(`tmux could not show the terminal${whyNot(answer)}`);
      return parseScreen(answer.stdout);
    },

    type: (name, identity, request) => {
      const input = typedText(request.text);
      // A buffer for each call: two at the same time must not paste each other's text. No buffer
      // can be made of nothing.
      const buffer = input === '' ? null : `loopwatch-${randomId()}`;
      const load = buffer === null ? [] : ['load-buffer', '-b', buffer, '-', ';'];
      const then = guarded(identity, typeCommands(identity, request, buffer), request.inFront);
      return tmux(name, [...load, ...then], { input }).then(outcomeOf);
    },

    resize: async () => Promise.reject(failed('not here yet')),
    scrollback: async () => Promise.reject(failed('not here yet')),
    tap: async () => Promise.reject(failed('not here yet')),
    changedAt: () => null,

    interrupt: (name, identity) =>
      tmux(name, guarded(identity, [`send-keys -t ${identity.pane} C-c`])).then(outcomeOf),

    async tagOf(name, identity) {
      const answer = await tmux(name, ['show-options', '-p', '-q', '-v', '-t', identity.pane, TAG]);
      return answer.ok && answer.stdout.trim() !== '' ? answer.stdout.trim() : null;
    },

    async close(name) {
      await tmux(name, ['kill-server']);
    },

    dispose: async () => Promise.resolve(),
  };
}

/** Takes the environment for tmux; gives its version, or null when it cannot be run. */
export async function tmuxVersion(environment: NodeJS.ProcessEnv): Promise<string | null> {
  const answer = await execFile('tmux', ['-V'], { env: environment, timeoutMs: TMUX_TIMEOUT_MS });
  return answer.ok ? answer.stdout.trim() : null;
}

/** One call: options first, because the first terminal is born with them. */
function openArguments(shell: string): string[] {
  const size = ['-x', String(TERMINAL_COLS), '-y', String(TERMINAL_ROWS)];
  return [
    ...['start-server', ';'],
    // The server must outlive its terminal: so "closed" and "crashed" can be told apart.
    ...['set-option', '-s', 'exit-empty', 'off', ';'],
    ...['set-option', '-g', 'history-limit', HISTORY_LINES, ';'],
    ...['set-option', '-g', 'default-terminal', 'screen-256color', ';'],
    ...['set-option', '-g', 'status', 'off', ';'],
    // Two words after the last option, or tmux hands the line to a shell. Not a login shell: its
    // profile would replace the PATH that the daemon was started with.
    ...['new-session', '-d', '-P', '-F', IDENTITY_FORMAT, '-s', 'main', ...size, '--', shell, '-i'],
  ];
}

function parseIdentity(text: string): TerminalIdentity | null {
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
  };
}

/** A format that is 1 only in the very terminal that is meant. */
function guard(identity: TerminalIdentity): string {
  return `#{&&:#{==:#{pid},${identity.hostPid}},#{==:#{pane_pid},${identity.shellPid}}}`;
}

function guarded(identity: TerminalIdentity, commands: string[], inFront?: string): string[] {
  // A name out of the kernel may hold anything; what is not plain is not compared here.
  const plain = inFront !== undefined && /^[\w.-]+$/.test(inFront);
  const condition = plain
    ? `#{&&:${guard(identity)},#{==:#{pane_current_command},${inFront}}}`
    : guard(identity);
  const all = [...commands, 'display-message -p typed'].join(' ; ');
  return ['if-shell', '-F', '-t', identity.pane, condition, all, 'display-message -p refused'];
}

function typeCommands(
  identity: TerminalIdentity,
  request: TypeRequest,
  buffer: string | null,
): string[] {
  const target = `-t ${identity.pane}`;
  return [
    ...(request.tag === undefined ? [] : [`set-option -p ${target} ${TAG} ${request.tag}`]),
    ...(request.clearLine === true ? [`send-keys ${target} C-e C-u`] : []),
    ...(buffer === null ? [] : [`paste-buffer -p -r -d -b ${buffer} ${target}`]),
    ...(request.submit ? [`send-keys ${target} Enter`] : []),
  ];
}

function outcomeOf(answer: ExecResult): TypeOutcome {
  if (!answer.ok) return answer.timedOut ? 'unknown' : 'failed';
  if (answer.stdout.includes('typed')) return 'typed';
  return answer.stdout.includes('refused') ? 'refused' : 'unknown';
}

function parseScreen(text: string): ScreenSnapshot {
  const headEnd = text.indexOf('\n');
  const numbers = text.slice(0, headEnd).split(' ').map(Number);
  const [same, cols = 0, rows = 0, row = 0, column = 0] = numbers;
  if (same !== 1) throw failed('the terminal is no longer the one that was asked for');
  const lines = screenLines(text.slice(headEnd + 1).replace(/\n$/, ''));
  return { cols, rows, cursor: [row, column], cursorVisible: true, alternate: false, lines };
}

function failed(message: string): AppError {
  return new AppError('terminal_failed', message);
}

function whyNot(answer: ExecResult): string {
  if (answer.ok) return '';
  return answer.timedOut ? ': it did not answer within 5 s' : `: ${answer.stderr.trim()}`;
}
