/** Everyone who was not removed: rows of the database, and what was opened under each of them. */
import type { Append, EventLog } from '../events/event-log.ts';
import { AppError } from '../lib/app-error.ts';
import { type Identity, type IdentityEnd, newHold } from './identity.ts';
import type { PersonRecord, PersonStore } from './person-store.ts';

/** Each request is compared with each of them. */
const MAX_PEOPLE = 200;

export interface Member {
  record: PersonRecord;
  /** Ends what was opened under the current identity. */
  hold: AbortController;
}

/** Writes each change before it counts. */
export class Members {
  readonly #log: EventLog;
  readonly #store: PersonStore;
  readonly #all = new Map<string, Member>();
  readonly #listeners = new Set<(id: string) => void>();

  constructor(log: EventLog, store: PersonStore) {
    this.#log = log;
    this.#store = store;
    for (const record of store.load()) this.#all.set(record.id, { record, hold: newHold() });
  }

  all(): Member[] {
    return [...this.#all.values()];
  }

  records(): PersonRecord[] {
    return this.all().map(({ record }) => record);
  }

  find(id: string): Member | undefined {
    return this.#all.get(id);
  }

  /** Throws `person_unknown`. */
  require(id: string): Member {
    const member = this.#all.get(id);
    if (member !== undefined) return member;
    throw new AppError('person_unknown', 'no member with that id; see: loopwatch people');
  }

  /** Throws `too_many_people`. */
  requireRoom(): void {
    if (this.#all.size < MAX_PEOPLE) return;
    throw new AppError('too_many_people', `at most ${MAX_PEOPLE} members; remove one first`);
  }

  insert(record: PersonRecord, also: (append: Append) => void): void {
    this.#log.write((append) => {
      this.#store.insert(record);
      also(append);
    });
    this.#all.set(record.id, { record, hold: newHold() });
  }

  /** `also` is written in the same transaction. */
  change(
    record: PersonRecord,
    change: Partial<Omit<PersonRecord, 'id'>>,
    also: (append: Append) => void,
  ): void {
    this.#log.write((append) => {
      this.#store.patch(record.id, change);
      also(append);
    });
    Object.assign(record, change);
  }

  /** Ends everything opened under them. */
  remove(id: string, removedAt: string, also: (append: Append) => void): void {
    const { hold } = this.require(id);
    this.#log.write((append) => {
      this.#store.remove(id, removedAt);
      also(append);
    });
    this.#all.delete(id);
    hold.abort('ended' satisfies IdentityEnd);
  }

  /** Ends the identities given out for a person; later ones hold. */
  endIdentities(id: string, how: IdentityEnd): void {
    const member = this.require(id);
    const { hold } = member;
    member.hold = newHold();
    hold.abort(how);
  }

  /** Called with the id after each change that people made here. */
  onChange(listener: (id: string) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  changed(id: string): void {
    for (const listener of [...this.#listeners]) listener(id);
  }
}

export function identityOf({ record: { id, name, role }, hold }: Member): Identity {
  return { id, name, role, held: hold.signal };
}
