/**
 * Rows of `people`. A removed person leaves a row without hashes, so that no backup brings them
 * back.
 */
import { eq, isNull } from 'drizzle-orm';
import type { Role } from '../../shared/schema/people/role.ts';
import type { Database } from '../db/database.ts';
import { people } from '../db/schema.ts';
import { type KnownPerson, SharedPerson } from './shared-person.ts';

export interface PersonRecord {
  id: string;
  name: string;
  /** What the name is compared by; free again once the person is removed. */
  nameKey: string;
  role: Role;
  tokenHash: string | null;
  linkHash: string | null;
  linkExpiresAt: string | null;
  createdAt: string;
  joinedAt: string | null;
  lastSeenAt: string | null;
}

export class PersonStore {
  readonly #query: Database['query'];

  constructor({ query }: Database) {
    this.#query = query;
  }

  /** Everyone who was not removed. */
  load(): PersonRecord[] {
    const rows = this.#query.select().from(people).where(isNull(people.removedAt)).all();
    return rows.map(({ removedAt, agreed, ...record }) => record);
  }

  /** Everyone, also those who were removed; or the one with that id. */
  known(id?: string): KnownPerson[] {
    const all = this.#query.select().from(people);
    const rows = id === undefined ? all.all() : all.where(eq(people.id, id)).all();
    return rows.map((row) => ({
      id: row.id,
      isRemoved: row.removedAt !== null,
      person: sharedOf(row),
      agreed: row.agreed === null ? null : SharedPerson.parse(JSON.parse(row.agreed)),
    }));
  }

  /** Also of a person who was removed. */
  agree(id: string, agreed: SharedPerson | null): void {
    const text = agreed === null ? null : JSON.stringify(sharedOf(agreed));
    this.#query.update(people).set({ agreed: text }).where(eq(people.id, id)).run();
  }

  insert(record: PersonRecord): void {
    this.#query.insert(people).values(record).run();
  }

  patch(id: string, change: Partial<Omit<PersonRecord, 'id'>>): void {
    this.#query.update(people).set(change).where(eq(people.id, id)).run();
  }

  remove(id: string, removedAt: string): void {
    const noSecrets = { tokenHash: null, linkHash: null, linkExpiresAt: null };
    this.#query
      .update(people)
      .set({ ...noSecrets, removedAt })
      .where(eq(people.id, id))
      .run();
  }
}

function sharedOf({ name, role, tokenHash, createdAt, joinedAt }: SharedPerson): SharedPerson {
  return { name, role, tokenHash, createdAt, joinedAt };
}
