/** A session that is closed while its terminal is opened again. */
import { pino } from 'pino';
import { expect, it } from 'vitest';
import { SessionStore } from '../../../server/sessions/session-store.ts';
import { Sessions } from '../../../server/sessions/sessions.ts';
import type { Leftover } from '../../../shared/schema/leftover.ts';
import { EventHome } from '../../support/events/event-home.ts';
import { StubbornTerminal } from '../../support/terminals/stubborn-terminal.ts';

/** With a session whose terminal is lost or never opened, and calls to its host that end when the test says. */
class Stage {
  readonly #home = new EventHome();
  readonly #closes: ((leftovers: Leftover[]) => void)[] = [];
  readonly sessions: Sessions;
  opened = 0;
  #opens: (() => void)[] = [];

  constructor(terminal: 'lost' | 'none') {
    const { database, log } = this.#home.open();
    const { clock, path } = this.#home;
    const { host: working, identity } = new StubbornTerminal(clock);
    const host = {
      ...working,
      foreground: () => ({ kind: 'lost' as const }),
      open: async () => {
        this.opened += 1;
        await new Promise<void>((end) => this.#opens.push(end));
        return identity;
      },
      close: async () => new Promise<Leftover[]>((end) => this.#closes.push(end)),
    };
    const store = new SessionStore(database);
    const logger = pino({ enabled: false });
    this.sessions = new Sessions({ store, host, log, clock, logger, roots: [path], sweepMs: 500 });
    const web = { name: 'web', cwd: path, terminal: 'tmux', status: 'open', owner: null } as const;
    const created_at = '2026-01-01T00:00:00.000Z';
    const known = terminal === 'lost' ? identity : null;
    log.write(() => store.insert({ ...web, created_at, identity: known }));
  }

  async endOpen(): Promise<void> {
    await settle();
    this.#opens.pop()?.();
    await settle();
  }

  /** Ends the newest call that closes a terminal, and what follows from it. */
  async endClose(): Promise<void> {
    await settle();
    this.#closes.pop()?.([]);
    await settle();
  }

  /** The types of all events, oldest first. */
  get events(): string[] {
    return this.#home.log?.read(0, 100).map(({ type }) => type) ?? [];
  }

  [Symbol.dispose](): void {
    this.sessions.dispose();
    this.#home[Symbol.dispose]();
  }
}

async function settle(): Promise<void> {
  for (let turn = 0; turn < 4; turn += 1) await new Promise((next) => setImmediate(next));
}

it('SE17 a session that is closed while the rest of its lost terminal ends gets no new one', async () => {
  using stage = new Stage('lost');
  const reopened = stage.sessions.ensureOpen('web');
  const refused = expect(reopened).rejects.toMatchObject({ code: 'session_unknown' });
  const closed = stage.sessions.close('web');
  await stage.endClose();
  expect(stage.sessions.has('web')).toBe(false);
  await stage.endClose();
  await Promise.all([closed, refused]);
  expect([stage.sessions.has('web'), stage.opened]).toEqual([false, 0]);
  expect(stage.events).toEqual(['session.closed']);
});

it('SE17 a session whose close comes first is not opened again', async () => {
  using stage = new Stage('none');
  const closed = stage.sessions.close('web');
  const refused = expect(stage.sessions.ensureOpen('web')).rejects.toMatchObject({
    code: 'session_unknown',
  });
  await stage.endClose();
  await Promise.all([closed, refused]);
  expect([stage.sessions.has('web'), stage.opened]).toEqual([false, 0]);
});

it('SE16 a session that is closed while its terminal is being opened ends with it', async () => {
  using stage = new Stage('none');
  const opened = stage.sessions.ensureOpen('web');
  await settle();
  const closed = stage.sessions.close('web');
  await stage.endOpen();
  await opened;
  expect(stage.sessions.get('web').status).toBe('closing');
  await stage.endClose();
  await closed;
  expect(stage.sessions.has('web')).toBe(false);
  expect(stage.events).toEqual(['session.created', 'session.closed']);
});
