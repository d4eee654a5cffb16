/**
 * Terminals inside the daemon, for machines without tmux. They end with the daemon; a loop whose
 * terminal went that way is started again in a new one.
 */
import { userInfo } from 'node:os';
import headless from '@xterm/headless';
import { type IPty, spawn } from 'node-pty';
import { AppError } from '../lib/app-error.ts';
import { isAlive, readProcess } from '../lib/process-identity.ts';
import { cellLines } from './cell-lines.ts';
import { lookAtShell } from './look-at-shell.ts';
import {
  TERMINAL_COLS,
  TERMINAL_ROWS,
  type TerminalHost,
  type TerminalIdentity,
  type TypeOutcome,
  type TypeRequest,
} from './terminal.ts';
import { typedText } from './typed-text.ts';

/** Characters waiting to be drawn; beyond them the program is held until the picture caught up. */
const MAX_UNDRAWN = 256 * 1024;
const KILL_LINE = '\x05\x15';
const CTRL_C = '\x03';

interface OpenTerminal {
  identity: TerminalIdentity;
  pty: IPty;
  screen: InstanceType<typeof headless.Terminal>;
  tag: string | null;
}

export function createPtyHost(options: { environment: NodeJS.ProcessEnv }): TerminalHost {
  const { environment } = options;
  const shell = environment['SHELL'] ?? userInfo().shell ?? '/bin/sh';
  const terminals = new Map<string, OpenTerminal>();

  /** The terminal behind a name, if it is the very one that is meant. */
  function meant(name: string, identity: TerminalIdentity): OpenTerminal | null {
    const terminal = terminals.get(name);
    return terminal?.identity.shellPid === identity.shellPid ? terminal : null;
  }

  function end(name: string): void {
    const terminal = terminals.get(name);
    if (terminal === undefined) return;
    terminals.delete(name);
    const { shellPid: pid, shellStartedAt: startedAt } = terminal.identity;
    if (isAlive({ pid, startedAt })) terminal.pty.kill();
    terminal.screen.dispose();
  }

  return {
    kind: 'pty',
    look: lookAtShell,
    find: async (name) => Promise.resolve(terminals.get(name)?.identity ?? null),

    async open(name, cwd) {
      end(name);
      const terminal = await Promise.resolve(openTerminal(shell, cwd, environment));
      terminals.set(name, terminal);
      return terminal.identity;
    },

    async screen(name, identity) {
      const terminal = meant(name, identity);
      if (terminal === null) throw new AppError('terminal_failed', 'the terminal is gone');
      const { screen } = terminal;
      await new Promise<void>((drawn) => screen.write('', drawn));
      const { cursorY, cursorX } = screen.buffer.active;
      const { cols, rows } = screen;
      const lines = cellLines(screen);
      const alternate = screen.buffer.active.type === 'alternate';
      return { cols, rows, cursor: [cursorY, cursorX], cursorVisible: true, alternate, lines };
    },

    type: async (name, identity, request) => {
      const terminal = meant(name, identity);
      if (terminal === null || !isInFront(identity, request)) return Promise.resolve('refused');
      return Promise.resolve(typeInto(terminal, request));
    },

    resize: async () => Promise.reject(new AppError('terminal_failed', 'not here yet')),
    scrollback: async () => Promise.reject(new AppError('terminal_failed', 'not here yet')),
    tap: async () => Promise.reject(new AppError('terminal_failed', 'not here yet')),
    changedAt: () => null,

    interrupt: async (name, identity) => {
      const terminal = meant(name, identity);
      terminal?.pty.write(CTRL_C);
      return Promise.resolve(terminal === null ? 'refused' : 'typed');
    },

    tagOf: async (name, identity) => Promise.resolve(meant(name, identity)?.tag ?? null),
    close: async (name) => {
      end(name);
      return Promise.resolve();
    },
    dispose: async () => {
      for (const name of [...terminals.keys()]) end(name);
      return Promise.resolve();
    },
  };
}

function openTerminal(shell: string, cwd: string, environment: NodeJS.ProcessEnv): OpenTerminal {
  const size = { cols: TERMINAL_COLS, rows: TERMINAL_ROWS };
  const pty = spawn(shell, ['-i'], { ...size, cwd, env: environment, name: 'xterm-256color' });
  const host = readProcess(process.pid);
  const child = readProcess(pty.pid);
  if (host === null || child === null) {
    throw new AppError('terminal_failed', `the shell ${shell} ended at once`);
  }
  const screen = new headless.Terminal({ ...size, scrollback: 1_000, allowProposedApi: true });
  drawInto(screen, pty);
  const identity = {
    hostPid: host.pid,
    hostStartedAt: host.startedAt,
    pane: 'pty',
    shellPid: child.pid,
    shellStartedAt: child.startedAt,
  };
  return { identity, pty, screen, tag: null };
}

function drawInto(screen: OpenTerminal['screen'], pty: IPty): void {
  let undrawn = 0;
  pty.onData((data) => {
    undrawn += data.length;
    if (undrawn > MAX_UNDRAWN) pty.pause();
    screen.write(data, () => {
      undrawn -= data.length;
      if (undrawn <= MAX_UNDRAWN) pty.resume();
    });
  });
}

function isInFront(identity: TerminalIdentity, { inFront }: TypeRequest): boolean {
  if (inFront === undefined) return true;
  const look = lookAtShell(identity);
  if (look.kind === 'shell') return look.name === inFront;
  return look.kind === 'program' && look.program.name === inFront;
}

function typeInto(terminal: OpenTerminal, request: TypeRequest): TypeOutcome {
  const text = typedText(request.text);
  const bracketed = terminal.screen.modes.bracketedPasteMode;
  terminal.tag = request.tag ?? terminal.tag;
  terminal.pty.write(
    (request.clearLine === true ? KILL_LINE : '') +
      (bracketed ? `\x1b[200~${text}\x1b[201~` : text) +
      (request.submit ? '\r' : ''),
  );
  return 'typed';
}
