/**
 * Who owns a session: at most one supervisor. It is stored with the session, notified when the
 * terminal has ended, and decides whether to have it reopened.
 */
import type { Owner } from '../../shared/schema/owner.ts';
import type { Append } from '../events/event-log.ts';
import { AppError } from '../lib/app-error.ts';
import type { SessionStore } from './session-store.ts';

/** What a session is in use for. */
const OWNER_TEXT: Record<Owner, string> = {
  auto: 'it runs an auto loop',
  respawn: 'respawn keeps it going',
};

/** How a terminal ended: on its own, with its host, or on request. */
export type TerminalEnd = 'closed' | 'lost' | 'requested';

/** The supervisor that owns a session. */
export interface SessionOwner {
  /**
   * Called when the terminal has ended. `keep`: the owner will have it reopened. `release`: the
   * owner gave the session up.
   */
  terminalEnded(how: TerminalEnd): 'keep' | 'release';
}

export class SessionOwners {
  readonly #store: SessionStore;
  readonly #attached = new Map<string, SessionOwner>();
  /** Sessions whose terminal is ending; they cannot be claimed. */
  readonly #ending = new Set<string>();

  constructor(store: SessionStore) {
    this.#store = store;
  }

  /**
   * Claims the session for a supervisor, inside its transaction. Throws `session_busy`,
   * `session_unknown`.
   */
  claim(append: Append, name: string, owner: Owner): void {
    const session = this.#store.known(name);
    if (this.#ending.has(name)) {
      throw new AppError('session_unknown', `session ${name} is being closed`);
    }
    if (session.owner !== null) {
      throw new AppError('session_busy', `session ${name} is in use: ${OWNER_TEXT[session.owner]}`);
    }
    this.#store.patch(name, { owner });
    append({ type: 'session.owner_changed', session: name, data: { owner } });
  }

  /** Inside the supervisor's transaction. */
  release(append: Append, name: string): void {
    const session = this.#store.get(name);
    if (session === null || session.owner === null) return;
    this.#store.patch(name, { owner: null });
    append({ type: 'session.owner_changed', session: name, data: { owner: null } });
  }

  /** Registers the owner to notify. Returns the function that unregisters it. */
  attach(name: string, owner: SessionOwner): () => void {
    this.#attached.set(name, owner);
    return () => {
      if (this.#attached.get(name) === owner) this.#attached.delete(name);
    };
  }

  /**
   * The terminal of a session has ended: runs `forget`, and the session cannot be claimed until
   * then. Runs nothing when the owner keeps it.
   */
  async releaseAtEnd(name: string, how: TerminalEnd, forget: () => Promise<void>): Promise<void> {
    if (this.#attached.get(name)?.terminalEnded(how) === 'keep') return;
    this.#ending.add(name);
    try {
      await forget();
    } finally {
      this.#ending.delete(name);
    }
  }
}
