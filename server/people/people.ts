/**
 * Named people: invited with a link that works once, known by a token of which only the hash is
 * stored. Every change is written before it counts, and then counts at once: the identities given
 * out for that person end, and everything that was opened under them.
 */
import type { Person } from '../../shared/schema/people/people.ts';
import { personKey } from '../../shared/schema/people/person-name.ts';
import type { Role } from '../../shared/schema/people/role.ts';
import type { EventLog } from '../events/event-log.ts';
import { type Clock, toIso } from '../lib/clock.ts';
import type { Log } from '../lib/log.ts';
import { randomId, randomSecret } from '../lib/random-id.ts';
import type { Identity } from './identity.ts';
import { identityOf, type Member, Members } from './members.ts';
import type { PersonRecord, PersonStore } from './person-store.ts';
import { personView } from './person-view.ts';
import { requireFreeName } from './require-free-name.ts';
import { SharedPeople } from './shared-people.ts';
import { hashSecret, sameHash } from './one-time-secrets.ts';

const LINK_MS = 24 * 3_600_000;
const SEEN_EVERY_MS = 60_000;

/** A link's secret, shown once. */
export interface CreatedLink {
  person: Person;
  secret: string;
  expiresAt: string;
}

export class People {
  readonly #log: EventLog;
  readonly #store: PersonStore;
  readonly #clock: Clock;
  readonly #logger: Log;
  readonly #members: Members;
  /** For the fleet of this host. */
  readonly shared: SharedPeople;

  constructor(options: { log: EventLog; store: PersonStore; clock: Clock; logger: Log }) {
    this.#log = options.log;
    this.#store = options.store;
    this.#clock = options.clock;
    this.#logger = options.logger;
    const members = new Members(options.log, options.store);
    this.#members = members;
    this.shared = new SharedPeople({ ...options, members });
  }

  /** By name. */
  list(): Person[] {
    return this.#members
      .records()
      .map((record) => this.#view(record))
      .sort((a, b) => a.name.localeCompare(b.name, 'en'));
  }

  /** Throws `name_taken` or `too_many_people`. */
  invite(name: string, role: Role, author: string): CreatedLink {
    requireFreeName(name, this.#members.records(), null);
    this.#members.requireRoom();
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
    this.#members.insert(record, (append) =>
      append({ type: 'people.invited', data: { id, name, role, author } }),
    );
    this.#members.changed(id);
    return { person: this.#view(record), secret, expiresAt: link.linkExpiresAt };
  }

  /**
   * Replaces an unused link. The token stays valid until the link is used, so that a lost link
   * locks no one out. Throws `person_unknown`.
   */
  createLink(id: string, author: string): CreatedLink {
    const { record } = this.#members.require(id);
    const { secret, ...link } = this.#newLink();
    this.#members.change(record, link, (append) =>
      append({ type: 'people.link_made', data: { id, name: record.name, author } }),
    );
    return { person: this.#view(record), secret, expiresAt: link.linkExpiresAt };
  }

  /** Throws `person_unknown` or `name_taken`. */
  change(id: string, wanted: { name?: string; role?: Role }, author: string): Person {
    const { record } = this.#members.require(id);
    const { name: oldName, role: oldRole } = record;
    const { name = oldName, role = oldRole } = wanted;
    if (name === oldName && role === oldRole) return this.#view(record);
    if (name !== oldName) requireFreeName(name, this.#members.records(), id);
    this.#members.change(record, { name, nameKey: personKey(name), role }, (append) => {
      if (name !== oldName) {
        append({ type: 'people.renamed', data: { id, name, before: oldName, author } });
      }
      if (role !== oldRole) {
        append({ type: 'people.role_changed', data: { id, name, role, before: oldRole, author } });
      }
    });
    this.#members.endIdentities(id, 'changed');
    this.#members.changed(id);
    return this.#view(record);
  }

  /** Ends token, link and everything open. Throws `person_unknown`. */
  remove(id: string, author: string): void {
    const { name } = this.#members.require(id).record;
    this.#members.remove(id, this.#now(), (append) =>
      append({ type: 'people.removed', data: { id, name, author } }),
    );
    this.#members.changed(id);
  }

  /** Compares with every person, also after a match. */
  identify(tokenHash: string): Identity | null {
    let found: Member | null = null;
    for (const member of this.#members.all()) {
      const { tokenHash: known } = member.record;
      if (known !== null && sameHash(known, tokenHash)) found = member;
    }
    return found === null ? null : identityOf(found);
  }

  /** Uses the link up and issues a new token; null for an unknown link. */
  redeem(linkHash: string): { token: string; identity: Identity } | null {
    const now = this.#now();
    let found: Member | null = null;
    for (const member of this.#members.all()) {
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
    this.#members.change(record, change, (append) =>
      append({ type: 'people.joined', data: { id, name, role } }),
    );
    this.#members.endIdentities(id, 'ended');
    this.#members.changed(id);
    return { token, identity: identityOf(this.#members.require(id)) };
  }

  /** A sign of life; stored once a minute, since losing it does not matter. */
  seen({ id }: Identity): void {
    const record = id === null ? undefined : this.#members.find(id)?.record;
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

  #newLink() {
    const secret = randomSecret();
    const linkExpiresAt = toIso(this.#clock.now() + LINK_MS);
    return { secret, linkHash: hashSecret(secret), linkExpiresAt };
  }

  #view(record: PersonRecord): Person {
    return personView(record, this.#now());
  }

  #now(): string {
    return toIso(this.#clock.now());
  }
}
