/**
 * Terminals inside the daemon, for machines without tmux. They end with the daemon; a loop whose
 * terminal was lost that way is restarted in a new one.
 */
import { userInfo } from 'node:os';
import { AppError } from '../lib/app-error.ts';
import type { Clock } from '../lib/clock.ts';
import { endTerminal } from './end-terminal.ts';
import { PtyTerminal } from './pty-terminal.ts';
import { hasLongLine, terminalSize, typedText } from './terminal-bounds.ts';
import { probeShell, readsLines, terminalChangedAt } from './terminal-device.ts';
import type {
  TerminalHost,
  TerminalIdentity,
  TerminalKey,
  TypeOutcome,
  TypeRequest,
} from './terminal.ts';

const KILL_LINE = '\x05\x15';
const KEY_BYTES: Record<TerminalKey, string> = { ctrl_c: '\x03', escape: '\x1b' };

export function createPtyHost(options: {
  environment: NodeJS.ProcessEnv;
  clock: Clock;
}): TerminalHost {
  const { environment, clock } = options;
  const shell = environment['SHELL'] ?? userInfo().shell ?? '/bin/sh';
  const terminals = new Map<string, PtyTerminal>();

  /** The terminal of that name if it has this identity. */
  function matching(name: string, identity: TerminalIdentity): PtyTerminal | null {
    const terminal = terminals.get(name);
    if (terminal?.identity.shellPid !== identity.shellPid) return null;
    return terminal.identity.shellStartedAt === identity.shellStartedAt ? terminal : null;
  }

  async function reach(name: string, identity: TerminalIdentity): Promise<PtyTerminal> {
    const terminal = matching(name, identity);
    return terminal === null
      ? Promise.reject(new AppError('terminal_failed', 'the terminal was closed'))
      : Promise.resolve(terminal);
  }

  function end(name: string): void {
    const terminal = terminals.get(name);
    terminals.delete(name);
    terminal?.end();
  }

  async function type(
    name: string,
    identity: TerminalIdentity,
    request: TypeRequest,
  ): Promise<TypeOutcome> {
    const text = typedText(request.text);
    if (hasLongLine(text) && (await readsLines(identity, environment))) return 'too_long';
    // Whether the foreground program accepts a paste may be in output that was read but not drawn
    // yet.
    await matching(name, identity)?.drawAll();
    const terminal = matching(name, identity);
    if (terminal === null || !isInForeground(identity, request)) return 'refused';
    const pasted = terminal.bracketedPaste && text !== '' ? `\x1b[200~${text}\x1b[201~` : text;
    const clear = request.clearLine === true ? KILL_LINE : '';
    if (!terminal.write(clear + pasted + (request.submit ? '\r' : ''))) return 'failed';
    terminal.tag = request.tag ?? terminal.tag;
    return 'typed';
  }

  return {
    kind: 'pty',
    foreground: probeShell,
    // They end with the daemon: all that exist were opened by this one.
    living: async () => Promise.resolve([]),
    find: async (name) => Promise.resolve(terminals.get(name)?.identity ?? null),

    async open(name, cwd) {
      end(name);
      // No await between the end of the old one and this: two opens leave one terminal.
      const terminal = new PtyTerminal(shell, cwd, environment, clock);
      terminals.set(name, terminal);
      return Promise.resolve(terminal.identity);
    },

    type,
    screen: async (name, identity) => (await reach(name, identity)).snapshot(),

    async resize(name, identity, cols, rows) {
      const size = terminalSize(cols, rows);
      await (await reach(name, identity)).resize(size.cols, size.rows);
    },

    scrollback: async (name, identity, page) => (await reach(name, identity)).scrollback(page),
    changedAt: terminalChangedAt,
    tap: async (name, identity, listener) => (await reach(name, identity)).tap(listener),

    press: async (name, identity, key) => {
      const terminal = matching(name, identity);
      if (terminal === null) return Promise.resolve('refused');
      return Promise.resolve(terminal.write(KEY_BYTES[key]) ? 'typed' : 'failed');
    },

    tagOf: async (name, identity) => Promise.resolve(matching(name, identity)?.tag ?? null),
    close: async (name, identity = null) =>
      endTerminal(identity, { clock, hasOwnHost: false }, async () => {
        end(name);
        return Promise.resolve();
      }),
    dispose: async () => {
      for (const name of [...terminals.keys()]) end(name);
      return Promise.resolve();
    },
  };
}

function isInForeground(
  identity: TerminalIdentity,
  { foreground: expected }: TypeRequest,
): boolean {
  const foreground = probeShell(identity);
  if (foreground.kind !== 'shell' && foreground.kind !== 'program') return false;
  if (expected === undefined) return true;
  return (foreground.kind === 'shell' ? foreground.name : foreground.program.name) === expected;
}
