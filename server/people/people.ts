/**
 * Named people: invited with a link that works once, known by a token of which only the hash is
 * stored. Every change is written before it counts, and then counts at once: the identities given
 * out for that person end, and everything that was opened under them.
 */
import type { Person } from '../../shared/schema/people/people.ts';
import { isReservedName, personKey } from '../../shared/schema/people/person-name.ts';
import type { Role } from '../../shared/schema/people/role.ts';
import type { Append, EventLog } from '../events/event-log.ts';
import { AppError } from '../lib/app-error.ts';
import { type Clock, toIso } from '../lib/clock.ts';
import type { Log } from '../lib/log.ts';
import { randomId, randomSecret } from '../lib/random-id.ts';
import { type Identity, type IdentityEnd, newHold } from './identity.ts';
import { nameTaken } from './name-taken.ts';
import type { PersonRecord, PersonStore } from './person-store.ts';
import { hashSecret, sameHash } from './one-time-secrets.ts';

const LINK_MS = 24 * 3_600_000;
const SEEN_EVERY_MS = 60_000;
/** Each request is compared with each of them. */
const MAX_PEOPLE = 200;

/** A link's secret, shown once. */
export interface CreatedLink {
  person: Person;
  secret: string;
  expiresAt: string;
}

interface Member {
  record: PersonRecord;
  /** Ends what was opened under the current identity. */
  hold: AbortController;
}

export class People {
  readonly #log: EventLog;
  readonly #store: PersonStore;
  readonly #clock: Clock;
  readonly #logger: Log;
  readonly #members = new Map<string, Member>();

  constructor(options: { log: EventLog; store: PersonStore; clock: Clock; logger: Log }) {
    this.#log = options.log;
    this.#store = options.store;
    this.#clock = options.clock;
    this.#logger = options.logger;
    for (const record of this.#store.load()) {
      this.#members.set(record.id, { record, hold: newHold() });
    }
  }

  /** By name. */
  list(): Person[] {
    return [...this.#members.values()]
      .map(({ record }) => this.#view(record))
      .sort((a, b) => a.name.localeCompare(b.name, 'en'));
  }

  /** Throws `name_taken` or `too_many_people`. */
  invite(name: string, role: Role, author: string): CreatedLink {
    this.#requireFree(name, null);
    if (this.#members.size >= MAX_PEOPLE) {
      throw new AppError('too_many_people', `at most ${MAX_PEOPLE} members; remove one first`);
    }
    const { secret, ...link } = this.#newLink();
    const record: PersonRecord = {
      id: randomId(),
      name,
      nameKey: personKey(name),
      role,
      ...link,
      tokenHash: null,
      createdAt: this.#now(),
      joinedAt: null,
      lastSeenAt: null,
    };
    const { id } = record;
    this.#log.write((append) => {
      this.#store.insert(record);
      append({ type: 'people.invited', data: { id, name, role, author } });
    });
    this.#members.set(id, { record, hold: newHold() });
    return { person: this.#view(record), secret, expiresAt: link.linkExpiresAt };
  }

  /**
   * Replaces an unused link. The token stays valid until the link is used, so that a lost link
   * locks no one out. Throws `person_unknown`.
   */
  createLink(id: string, author: string): CreatedLink {
    const { record } = this.#require(id);
    const { secret, ...link } = this.#newLink();
    this.#change(record, link, (append) =>
      append({ type: 'people.link_made', data: { id, name: record.name, author } }),
    );
    return { person: this.#view(record), secret, expiresAt: link.linkExpiresAt };
  }

  /** Throws `person_unknown` or `name_taken`. */
  change(id: string, wanted: { name?: string; role?: Role }, author: string): Person {
    const { record } = this.#require(id);
    const { name: oldName, role: oldRole } = record;
    const { name = oldName, role = oldRole } = wanted;
    if (name === oldName && role === oldRole) return this.#view(record);
    if (name !== oldName) this.#requireFree(name, id);
    this.#change(record, { name, nameKey: personKey(name), role }, (append) => {
      if (name !== oldName) {
        append({ type: 'people.renamed', data: { id, name, before: oldName, author } });
      }
      if (role !== oldRole) {
        append({ type: 'people.role_changed', data: { id, name, role, before: oldRole, author } });
      }
    });
    this.#endIdentities(id, 'changed');
    return this.#view(record);
  }

  /** Ends token, link and everything open. Throws `person_unknown`. */
  remove(id: string, author: string): void {
    const member = this.#require(id);
    const { name } = member.record;
    this.#log.write((append) => {
      this.#store.remove(id, this.#now());
      append({ type: 'people.removed', data: { id, name, author } });
    });
    this.#members.delete(id);
    member.hold.abort('ended' satisfies IdentityEnd);
  }

  /** Compares with every person, also after a match. */
  identify(tokenHash: string): Identity | null {
    let found: Member | null = null;
    for (const member of this.#members.values()) {
      const { tokenHash: known } = member.record;
      if (known !== null && sameHash(known, tokenHash)) found = member;
    }
    return found === null ? null : identityOf(found);
  }

  /** Uses the link up and issues a new token; null for an unknown link. */
  redeem(linkHash: string): { token: string; identity: Identity } | null {
    const now = this.#now();
    let found: Member | null = null;
    for (const member of this.#members.values()) {
      const { linkHash: known, linkExpiresAt } = member.record;
      const isValid = known !== null && linkExpiresAt !== null && linkExpiresAt > now;
      if (isValid && sameHash(known, linkHash)) found = member;
    }
    if (found === null) return null;
    const { record } = found;
    const { id, name, role } = record;
    const token = randomSecret();
    const change = {
      tokenHash: hashSecret(token),
      linkHash: null,
      linkExpiresAt: null,
      joinedAt: record.joinedAt ?? now,
      lastSeenAt: now,
    };
    this.#change(record, change, (append) =>
      append({ type: 'people.joined', data: { id, name, role } }),
    );
    this.#endIdentities(id, 'ended');
    return { token, identity: identityOf(this.#require(id)) };
  }

  /** A sign of life; stored once a minute, since losing it does not matter. */
  seen({ id }: Identity): void {
    const record = id === null ? undefined : this.#members.get(id)?.record;
    if (record === undefined) return;
    const nowMs = this.#clock.now();
    const { lastSeenAt } = record;
    if (lastSeenAt !== null && Math.abs(nowMs - Date.parse(lastSeenAt)) < SEEN_EVERY_MS) return;
    // Also when it cannot be written: not every request should retry a full disk.
    record.lastSeenAt = toIso(nowMs);
    try {
      this.#log.write(() => this.#store.patch(record.id, { lastSeenAt: record.lastSeenAt }));
    } catch (error) {
      this.#logger.warn({ err: error }, 'cannot store the last activity of members');
    }
  }

  #change(
    record: PersonRecord,
    change: Partial<Omit<PersonRecord, 'id'>>,
    writeEvents: (append: Append) => void,
  ): void {
    this.#log.write((append) => {
      this.#store.patch(record.id, change);
      writeEvents(append);
    });
    Object.assign(record, change);
  }

  #endIdentities(id: string, how: IdentityEnd): void {
    const member = this.#require(id);
    const { hold } = member;
    member.hold = newHold();
    hold.abort(how);
  }

  #newLink() {
    const secret = randomSecret();
    const linkExpiresAt = toIso(this.#clock.now() + LINK_MS);
    return { secret, linkHash: hashSecret(secret), linkExpiresAt };
  }

  #requireFree(name: string, except: string | null): void {
    const key = personKey(name);
    const other = [...this.#members.values()].find(
      ({ record }) => record.nameKey === key && record.id !== except,
    );
    if (other === undefined && !isReservedName(name)) return;
    throw nameTaken(name, other?.record.name ?? null);
  }

  #require(id: string): Member {
    const member = this.#members.get(id);
    if (member !== undefined) return member;
    throw new AppError('person_unknown', 'no member with that id; see: loopwatch people');
  }

  #view(record: PersonRecord): Person {
    const { id, name, role, createdAt, joinedAt, lastSeenAt, linkExpiresAt } = record;
    const isOpen = linkExpiresAt !== null && linkExpiresAt > this.#now();
    return {
      id,
      name,
      role,
      created_at: createdAt,
      joined_at: joinedAt,
      last_seen_at: lastSeenAt,
      has_token: record.tokenHash !== null,
      link_expires_at: isOpen ? linkExpiresAt : null,
    };
  }

  #now(): string {
    return toIso(this.#clock.now());
  }
}

function identityOf({ record: { id, name, role }, hold }: Member): Identity {
  return { id, name, role, held: hold.signal };
}
