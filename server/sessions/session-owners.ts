/**
 * Who owns a session: at most one supervisor. That one is stored with the session, told when the
 * terminal is gone, and says whether it will have it opened again.
 */
import type { Owner } from '../../shared/schema/owner.ts';
import type { Append } from '../events/event-log.ts';
import { AppError } from '../lib/app-error.ts';
import type { SessionStore } from './session-store.ts';

/** What a session is in use for. */
const OWNER_TEXT: Record<Owner, string> = { auto: 'it runs an auto loop' };

/** How a terminal came to its end: by itself, with its host, or because somebody asked for it. */
export type TerminalEnd = 'closed' | 'lost' | 'requested';

/** The supervisor that owns a session, told when its terminal is gone. */
export interface SessionOwner {
  /** `keep`: the owner will have the terminal opened again. Otherwise the owner has let go of it. */
  terminalGone(how: TerminalEnd): 'keep' | 'let_go';
}

export class SessionOwners {
  readonly #store: SessionStore;
  readonly #attached = new Map<string, SessionOwner>();
  /** Nobody takes a session whose terminal is on its way out. */
  readonly #ending = new Set<string>();

  constructor(store: SessionStore) {
    this.#store = store;
  }

  /** Takes the session for a supervisor, inside its transaction. Throws `session_busy`, `session_unknown`. */
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

  /** Gives the session back, inside the supervisor's transaction. */
  release(append: Append, name: string): void {
    const session = this.#store.get(name);
    if (session === null || session.owner === null) return;
    this.#store.patch(name, { owner: null });
    append({ type: 'session.owner_changed', session: name, data: { owner: null } });
  }

  /** Registers who is told of the terminal's end; gives the way out. */
  attach(name: string, owner: SessionOwner): () => void {
    this.#attached.set(name, owner);
    return () => {
      if (this.#attached.get(name) === owner) this.#attached.delete(name);
    };
  }

  /**
   * The terminal of a session is gone: runs `forget`, and nobody can take the session meanwhile.
   * Nothing is run where the owner keeps it.
   */
  async releaseAtEnd(name: string, how: TerminalEnd, forget: () => Promise<void>): Promise<void> {
    if (this.#attached.get(name)?.terminalGone(how) === 'keep') return;
    this.#ending.add(name);
    try {
      await forget();
    } finally {
      this.#ending.delete(name);
    }
  }
}
