/**
 * Terminals in tmux, one private server (socket) per session: a server that crashes takes only one
 * session with it, and the user's own tmux is never touched. Sessions outlive the daemon.
 *
 * Nothing a user can choose is ever an argument: the directory is the client's own, text travels
 * through a paste buffer, keys as numbers, names are socket files from a closed alphabet.
 */
import { userInfo } from 'node:os';
import { AppError } from '../lib/app-error.ts';
import type { Clock } from '../lib/clock.ts';
import type { ExecResult } from '../lib/processes/exec-file.ts';
import { randomId } from '../lib/random-id.ts';
import { ControlClients } from './control-clients.ts';
import { endTerminal, TERMINAL_VARIABLE } from './end-terminal.ts';
import { readProcess } from '../lib/processes/process-identity.ts';
import { hasLongLine, scrollbackPage, terminalSize, typedText } from './terminal-bounds.ts';
import { probeShell, readsLines, terminalChangedAt } from './terminal-device.ts';
import { removeSocket, socketNames } from './socket-directory.ts';
import type {
  RunningTerminal,
  TerminalHost,
  TerminalIdentity,
  TypeOutcome,
  TypeRequest,
} from './terminal.ts';
import * as commands from './tmux-commands.ts';
import { TmuxProgram } from './tmux-program.ts';
import { tapTmux } from './tmux-tap.ts';

/** Rows may change between the two commands: how often to retry. */
const SCROLLBACK_TRIES = 5;

export function createTmuxHost(options: {
  socketDirectory: string;
  environment: NodeJS.ProcessEnv;
  clock: Clock;
}): TerminalHost {
  const { environment, clock } = options;
  const shell = environment['SHELL'] ?? userInfo().shell ?? '/bin/sh';
  const tmux = new TmuxProgram(options);
  const clients = new ControlClients({ program: tmux, clock });
  const ending = { clock, hasOwnHost: true };

  async function find(name: string): Promise<TerminalIdentity | null> {
    const answer = await tmux.call(name, [commands.FIND]);
    return answer.ok ? commands.parseIdentity(answer.stdout) : null;
  }

  /** Through a client that is already attached, at a tenth of the cost; else a new one. */
  async function ask(
    name: string,
    identity: TerminalIdentity,
    asked: commands.TmuxCommand[],
  ): Promise<string> {
    const client = clients.live(name, identity);
    if (client !== null) return client.ask(asked);
    const answer = await tmux.call(name, asked);
    if (!answer.ok) throw failed(`tmux cannot reach the terminal${whyNot(answer)}`);
    return answer.stdout;
  }

  async function open(name: string, cwd: string): Promise<TerminalIdentity> {
    const left = await find(name);
    if (left !== null) return left;
    // A server whose terminal was closed stays behind empty.
    await tmux.call(name, [['kill-server']]);
    const mark = { [TERMINAL_VARIABLE]: randomId() };
    const answer = await tmux.call(name, commands.openCommands(shell), { cwd, mark });
    if (!answer.ok && answer.code === 'ENOENT') {
      throw new AppError('terminal_unavailable', 'tmux is not installed; install it and try again');
    }
    const identity = answer.ok ? commands.parseIdentity(answer.stdout) : await find(name);
    if (identity === null) throw failed(`tmux cannot open a terminal${whyNot(answer)}`);
    return identity;
  }

  async function type(
    name: string,
    identity: TerminalIdentity,
    request: TypeRequest,
  ): Promise<TypeOutcome> {
    const input = typedText(request.text);
    if (hasLongLine(input) && (await readsLines(identity, environment))) return 'too_long';
    // A buffer for each call: two at the same time must not paste each other's text. tmux cannot
    // create an empty buffer.
    const buffer = input === '' ? null : `loopwatch-${randomId()}`;
    const load = buffer === null ? [] : [['load-buffer', '-b', buffer, '-']];
    const then = commands.typeCommand(identity, request, buffer);
    return outcomeOf(await tmux.call(name, [...load, then], { input }));
  }

  async function findLiving(name: string): Promise<RunningTerminal | null> {
    const answer = await tmux.call(name, [commands.FIND, commands.WHERE]);
    const identity = answer.ok ? commands.parseIdentity(answer.stdout) : null;
    if (!answer.ok || identity === null) return null;
    return { name, cwd: commands.parseWhere(answer.stdout), identity };
  }

  return {
    kind: 'tmux',
    find,
    async living() {
      const found: RunningTerminal[] = [];
      for (const name of socketNames(options.socketDirectory)) {
        const terminal = await findLiving(name);
        if (terminal !== null) found.push(terminal);
      }
      return found;
    },
    foreground: probeShell,
    open: async (name, cwd) => clients.alone(name, async () => open(name, cwd)),
    type,

    screen: async (name, identity) =>
      commands.parseScreen(await ask(name, identity, commands.screenCommands(identity))),

    async resize(name, identity, cols, rows) {
      const size = terminalSize(cols, rows);
      const command = commands.resizeCommand(identity, size.cols, size.rows);
      const outcome = commands.parseOutcome(await ask(name, identity, [command]));
      if (outcome !== 'typed') throw failed('the terminal was replaced');
    },

    async scrollback(name, identity, wanted) {
      for (let tries = 0; tries < SCROLLBACK_TRIES; tries += 1) {
        const asked = await ask(name, identity, [commands.historyCommand(identity)]);
        const total = commands.parseHistory(asked);
        const page = scrollbackPage(total, wanted);
        if (page.lines === 0) return { total, offset: page.from, lines: [] };
        const capture = commands.scrollbackCommands(identity, total, page);
        const text = await ask(name, identity, capture);
        const found = commands.parseScrollback(text, total, page.from);
        if (found !== null) return found;
      }
      throw failed('the terminal scrolls too fast to read');
    },

    changedAt: terminalChangedAt,
    tap: async (name, identity, listener) => tapTmux(clients, name, identity, listener),

    press: async (name, identity, key) =>
      outcomeOf(await tmux.call(name, [commands.keyCommand(identity, key)])),

    async tagOf(name, identity) {
      const answer = await tmux.call(name, [commands.tagCommand(identity)]);
      return answer.ok && answer.stdout.trim() !== '' ? answer.stdout.trim() : null;
    },

    close: async (name, identity = null) =>
      clients.alone(name, async () => {
        const commandTexts = tmux.commandTextsOf(name);
        const left = await endTerminal(identity, { ...ending, commandTexts }, async () => {
          const attached = await tmux.call(name, [['list-clients', '-F', '#{client_pid}']]);
          // Already timed out once: do not wait a second time.
          if (!attached.ok && attached.timedOut) return;
          await tmux.call(name, [['kill-server']]);
          if (attached.ok) endClients(attached.stdout);
        });
        // A server that ends leaves its socket behind; one that is still alive remains reachable
        // through it.
        if (left.length === 0) removeSocket(options.socketDirectory, name);
        return left;
      }),
    dispose: async () => clients.dispose(),
  };
}

/**
 * `pids` of clients, one per line. The control client of a daemon that was killed during a lot of
 * output may never exit, and a server that ends waits for it.
 */
function endClients(pids: string): void {
  for (const pid of pids.split('\n').map(Number)) {
    if (pid <= 1 || readProcess(pid)?.name.startsWith('tmux') !== true) continue;
    try {
      process.kill(pid, 'SIGTERM');
    } catch {
      // Already exited.
    }
  }
}

function outcomeOf(answer: ExecResult): TypeOutcome {
  if (!answer.ok) return answer.timedOut ? 'unknown' : 'failed';
  return commands.parseOutcome(answer.stdout);
}

function failed(message: string): AppError {
  return new AppError('terminal_failed', message);
}

function whyNot(answer: ExecResult): string {
  if (answer.ok) return '';
  return answer.timedOut ? ': it did not answer within 5 s' : `: ${answer.stderr.trim()}`;
}
