/** The people of this host as its fleet sees them, and what the fleet says of them. */
import { personKey } from '../../shared/schema/people/person-name.ts';
import type { EventLog } from '../events/event-log.ts';
import { type Clock, toIso } from '../lib/clock.ts';
import type { Members } from './members.ts';
import type { PersonStore } from './person-store.ts';
import type { KnownPerson, SharedPerson } from './shared-person.ts';

export class SharedPeople {
  readonly #log: EventLog;
  readonly #store: PersonStore;
  readonly #members: Members;
  readonly #clock: Clock;

  constructor(options: { log: EventLog; store: PersonStore; members: Members; clock: Clock }) {
    this.#log = options.log;
    this.#store = options.store;
    this.#members = options.members;
    this.#clock = options.clock;
  }

  /** Everyone this host knows, also those removed; or the one with that id. */
  known(id?: string): KnownPerson[] {
    return this.#store.known(id);
  }

  /** Called with the id after each change that people made here. */
  onChange(listener: (id: string) => void): () => void {
    return this.#members.onChange(listener);
  }

  /** Remembers what the fleet knows of a person, also of one who was removed. */
  agree(id: string, agreed: SharedPerson): void {
    this.#log.write(() => this.#store.agree(id, agreed));
  }

  /**
   * Makes a person what the fleet says; `agreed` is what it knows of them. Their name must be free.
   * Throws `too_many_people`.
   */
  adopt(id: string, shared: SharedPerson, agreed: SharedPerson | null): void {
    const { name, role, tokenHash } = shared;
    const nameKey = personKey(name);
    const known = this.#members.find(id)?.record;
    if (known === undefined) {
      this.#members.requireRoom();
      const unused = { linkHash: null, linkExpiresAt: null, lastSeenAt: null };
      this.#members.insert({ id, nameKey, ...unused, ...shared }, (append) => {
        this.#store.agree(id, agreed);
        append({ type: 'people.invited', data: { id, name, role } });
      });
      return;
    }
    const { name: before, role: oldRole, tokenHash: oldHash } = known;
    this.#members.change(known, { nameKey, ...shared }, (append) => {
      this.#store.agree(id, agreed);
      if (name !== before) append({ type: 'people.renamed', data: { id, name, before } });
      if (role !== oldRole) {
        append({ type: 'people.role_changed', data: { id, name, role, before: oldRole } });
      }
    });
    if (tokenHash !== oldHash) this.#members.endIdentities(id, 'ended');
    else if (name !== before || role !== oldRole) this.#members.endIdentities(id, 'changed');
  }

  /** The fleet removed a person: everything they have open here ends. */
  remove(id: string): void {
    const { name } = this.#members.require(id).record;
    this.#members.remove(id, toIso(this.#clock.now()), (append) =>
      append({ type: 'people.removed', data: { id, name } }),
    );
  }
}
