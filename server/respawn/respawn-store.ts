/** Rows of `respawn`: the state of one session each, read and written whole. No business rule. */
import { asc, eq } from 'drizzle-orm';
import { DEFAULT_RESPAWN_CONFIG } from '../../shared/schema/loops/respawn.ts';
import type { Database } from '../db/database.ts';
import { respawn } from '../db/schema.ts';
import { freshRespawn } from './fresh-respawn.ts';
import type { RespawnState } from './machine/respawn-state.ts';
import { parseStored, toStored } from './stored-respawn.ts';

export interface StoredRespawn {
  state: RespawnState;
  /** Where its clock stood when it was stored. */
  clockMs: number;
  /** Its row cannot be read: nothing but the session is known of it. */
  isUnreadable: boolean;
}

export class RespawnStore {
  readonly #query: Database['query'];

  constructor({ query }: Database) {
    this.#query = query;
  }

  save(state: RespawnState, clockMs: number): void {
    const columns = { state: toStored(state), clockMs: Math.round(clockMs) };
    this.#query
      .insert(respawn)
      .values({ session: state.session, ...columns })
      .onConflictDoUpdate({ target: respawn.session, set: columns })
      .run();
  }

  remove(session: string): void {
    this.#query.delete(respawn).where(eq(respawn.session, session)).run();
  }

  /** Each row is read independently: one that cannot be read blocks no other. */
  load(): StoredRespawn[] {
    const rows = this.#query.select().from(respawn).orderBy(asc(respawn.session)).all();
    return rows.map(({ session, state, clockMs }) => {
      try {
        return { state: { ...parseStored(state), session }, clockMs, isUnreadable: false };
      } catch {
        const fresh = freshRespawn(session, DEFAULT_RESPAWN_CONFIG);
        return { state: fresh, clockMs, isUnreadable: true };
      }
    });
  }
}
