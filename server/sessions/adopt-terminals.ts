/**
 * After a restore the machine is ahead of the rows. Terminals that are still alive are adopted
 * under their names: none is ended, and none stays invisible.
 */
import type { EventLog } from '../events/event-log.ts';
import { type Clock, toIso } from '../lib/clock.ts';
import type { RunningTerminal, TerminalHost } from '../terminals/terminal.ts';
import type { SessionStore } from './session-store.ts';

export interface AdoptOptions {
  log: EventLog;
  store: SessionStore;
  host: TerminalHost;
  clock: Clock;
}

/** Call after the sessions have recovered. */
export async function adoptTerminals(options: AdoptOptions): Promise<void> {
  for (const terminal of await options.host.living()) adopt(terminal, options);
}

function adopt(terminal: RunningTerminal, { log, store, host, clock }: AdoptOptions): void {
  const { name, cwd, identity } = terminal;
  const stored = store.get(name);
  if (stored?.identity?.shellPid === identity.shellPid) {
    const { kind } = host.foreground(stored.identity);
    if (kind === 'shell' || kind === 'program') return;
  }
  log.write((append) => {
    const at = toIso(clock.now());
    if (stored === null) {
      const row = { name, cwd, terminal: host.kind, owner: null, created_at: at };
      store.insert({ ...row, status: 'open', identity });
    } else {
      store.patch(name, { status: 'open', identity });
    }
    const data = { cwd: stored?.cwd ?? cwd, terminal: host.kind, reopened: true };
    append({ type: 'session.created', session: name, data });
  });
}
