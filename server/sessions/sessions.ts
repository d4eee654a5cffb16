/**
 * The terminals people and supervisors work in: opened, found again after a restart, watched for
 * their end. Intent is stored before a terminal is touched; a restart finishes what was started.
 * Knows nothing of agents or loops.
 */
import { isAbsolute } from 'node:path';
import type { SessionClosedReason } from '../../shared/schema/events/events.ts';
import type { Leftover } from '../../shared/schema/leftover.ts';
import { leftoverText } from '../../shared/words/sessions/leftover-text.ts';
import type { EventLog } from '../events/event-log.ts';
import { AppError } from '../lib/app-error.ts';
import { type Clock, toIso } from '../lib/clock.ts';
import type { Log } from '../lib/log.ts';
import { Polls } from '../lib/polls.ts';
import { isBelow, realDirectory } from '../lib/files/real-directory.ts';
import { untilStored } from '../lib/until-stored.ts';
import type { TerminalHost } from '../terminals/terminal.ts';
import { SessionOwners, type TerminalEnd } from './session-owners.ts';
import { CLOSED_REASON, closedEvent, createdEvent } from './session-events.ts';
import {
  type SessionRecord,
  type SessionStore,
  type StoredSession,
  withoutIdentity,
} from './session-store.ts';
import { SessionTerminals } from './session-terminals.ts';

export class Sessions extends SessionTerminals {
  readonly owners: SessionOwners;
  readonly #log: EventLog;
  readonly #store: SessionStore;
  readonly #host: TerminalHost;
  readonly #clock: Clock;
  readonly #roots: readonly string[];
  readonly #sweepMs: number;
  readonly #logger: Log;
  readonly #closedListeners = new Set<(name: string) => void>();
  readonly #polls: Polls;

  constructor(options: {
    log: EventLog;
    store: SessionStore;
    host: TerminalHost;
    clock: Clock;
    roots: readonly string[];
    sweepMs: number;
    logger: Log;
  }) {
    super(options);
    this.owners = new SessionOwners(options.store);
    this.#log = options.log;
    this.#store = options.store;
    this.#host = options.host;
    this.#clock = options.clock;
    this.#roots = options.roots;
    this.#sweepMs = options.sweepMs;
    this.#polls = new Polls(options.clock);
    this.#logger = options.logger;
  }

  /**
   * Opens a terminal in a directory below the roots (`anywhere` lifts that for our own). `author`
   * is the name of the person who asked for it.
   */
  async create(
    name: string,
    cwd: string,
    anywhere = false,
    author?: string,
  ): Promise<SessionRecord> {
    // A relative path would depend on the daemon's own directory.
    if (!isAbsolute(cwd)) throw new AppError('cwd_missing', `${cwd} is not an absolute path`);
    const directory = realDirectory(cwd);
    if (directory === null) throw new AppError('cwd_missing', `${cwd} is not a directory`);
    if (!anywhere && !isBelow(directory.path, this.#roots)) {
      throw new AppError('outside_roots', `${cwd} is outside the roots ${this.#roots.join(', ')}`);
    }
    const session: StoredSession = {
      name,
      cwd: directory.path,
      terminal: this.#host.kind,
      status: 'opening',
      owner: null,
      created_at: toIso(this.#clock.now()),
      identity: null,
    };
    this.#log.write((append) => {
      if (this.#store.get(name) !== null) {
        throw new AppError('session_exists', `a session named ${name} already exists`);
      }
      this.#store.insert(session);
      append(createdEvent(session, false, author));
    });
    try {
      return await this.#open(session);
    } catch (error) {
      await untilStored(() => this.#forget(session, 'start_failed'), this.#clock);
      throw error;
    }
  }

  list(): SessionRecord[] {
    return this.#store.list().map(withoutIdentity);
  }

  /** Names of the sessions whose terminal is open. */
  openNames(): string[] {
    return this.#store.list().flatMap(({ name, status }) => (status === 'open' ? [name] : []));
  }

  /** Throws `session_unknown`. */
  get(name: string): SessionRecord {
    return withoutIdentity(this.#store.known(name));
  }

  has(name: string): boolean {
    return this.#store.get(name) !== null;
  }

  /** Ends the terminal and everything started in it. Returns what could not be ended. */
  async close(name: string, author?: string): Promise<Leftover[]> {
    const session = this.#store.known(name);
    this.#log.write(() => this.#store.patch(name, { status: 'closing' }));
    return this.#finishClose(session, 'requested', author);
  }

  /** Reopens the terminal of a session when its host took it down. */
  async ensureOpen(name: string): Promise<void> {
    const session = this.#store.known(name);
    const { identity } = session;
    if (identity !== null && this.#host.foreground(identity).kind !== 'lost') return;
    // What outlived the terminal would run alongside what is started in the new one.
    if (identity !== null) this.#report(name, await this.#host.close(name, identity));
    this.#store.known(name, session.created_at);
    this.#log.write((append) => {
      this.#store.patch(name, { status: 'opening', identity: null });
      append(createdEvent(session, true));
    });
    try {
      await this.#open(session);
    } catch (error) {
      this.#leaveWithoutTerminal(session);
      throw error;
    }
  }

  /** `closed` is called for each ended session, before its name can be reused. */
  onClosed(closed: (name: string) => void): void {
    this.#closedListeners.add(closed);
  }

  /** After a start: finishes terminals that were being opened. Call before owners attach. */
  async recover(): Promise<void> {
    const unfinished = this.#store.list().filter(({ status }) => status === 'opening');
    const opened = unfinished.map(async (session) =>
      this.#open(session).catch(() => {
        if (session.owner === null) this.#forget(session, 'start_failed');
        else this.#leaveWithoutTerminal(session);
      }),
    );
    await Promise.all(opened);
  }

  /** Checks every terminal now and then periodically. Call once owners are attached. */
  async watch(): Promise<void> {
    const check = async () =>
      this.#sweep().catch((error: unknown) => {
        // A full disk or a locked database: the next check retries.
        this.#logger.error({ err: error }, 'cannot check the terminals');
      });
    await check();
    this.#polls.repeat(this.#sweepMs, check);
  }

  dispose(): void {
    this.#polls.cancel();
  }

  async #sweep(): Promise<void> {
    for (const session of this.#store.list()) {
      if (session.status === 'closing') await this.#finishClose(session, 'requested');
      if (session.status !== 'open') continue;
      const kind =
        session.identity === null ? 'lost' : this.#host.foreground(session.identity).kind;
      if (kind === 'closed' || kind === 'lost') await this.#finishClose(session, kind);
    }
  }

  async #finishClose(session: StoredSession, how: TerminalEnd, author?: string) {
    const { name } = session;
    let leftovers: Leftover[] = [];
    await this.lifecycle.run(name, async () => {
      const now = this.#store.get(name);
      // Another call was first, or a new terminal is not what has ended. A person means the session.
      if (now?.created_at !== session.created_at) return;
      if (how !== 'requested' && now.identity?.shellPid !== session.identity?.shellPid) return;
      await this.owners.releaseAtEnd(name, how, async () => {
        // What a person left running in a terminal they closed is theirs.
        leftovers = await this.#host.close(name, how === 'closed' ? null : now.identity);
        this.#report(name, leftovers);
        this.#forget(session, CLOSED_REASON[how], { author, leftovers });
      });
    });
    return leftovers;
  }

  #report(session: string, leftovers: readonly Leftover[]): void {
    if (leftovers.length === 0) return;
    this.#logger.error({ session, leftovers }, leftoverText(leftovers));
  }

  async #open(session: StoredSession): Promise<SessionRecord> {
    const { name, cwd, created_at } = session;
    return this.lifecycle.run(name, async () => {
      // Closed meanwhile: its terminal would belong to no one.
      this.#store.known(name, created_at);
      const identity = await this.#host.open(name, cwd);
      // A close that waits for this one is kept, for the next daemon too.
      const status = this.#store.known(name).status === 'closing' ? 'closing' : 'open';
      const keep = () => this.#log.write(() => this.#store.patch(name, { status, identity }));
      await untilStored(keep, this.#clock);
      return withoutIdentity({ ...session, status: 'open' });
    });
  }

  /** It has an owner, which retries or fails; then the next sweep closes it. */
  #leaveWithoutTerminal({ name, created_at }: StoredSession): void {
    if (this.#store.get(name)?.created_at !== created_at) return;
    this.#log.write(() => this.#store.patch(name, { status: 'open', identity: null }));
  }

  #forget(
    { name, created_at }: StoredSession,
    reason: SessionClosedReason,
    more: { author?: string; leftovers?: readonly Leftover[] } = {},
  ): void {
    if (this.#store.get(name)?.created_at !== created_at) return;
    this.#log.write((append) => {
      this.#store.remove(name);
      append(closedEvent(name, reason, more));
    });
    for (const closed of this.#closedListeners) {
      try {
        closed(name);
      } catch (error) {
        this.#logger.error({ err: error, session: name }, 'cannot release an ended session');
      }
    }
  }
}
