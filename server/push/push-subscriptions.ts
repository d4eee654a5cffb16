/**
 * Browsers that get Web Push. One belongs to the person who added it, for as long as the token it
 * was added with is valid: a lost device loses its notifications with its access.
 */
import { createHash, ECDH } from 'node:crypto';
import type { SubscribeBrowser, SubscribedBrowser } from '../../shared/schema/alerts/push.ts';
import type { EventLog } from '../events/event-log.ts';
import { AppError } from '../lib/app-error.ts';
import { type Clock, toIso } from '../lib/clock.ts';
import type { Identity } from '../people/identity.ts';
import { type Addressee, type Addressees, isAddressed } from './addressees.ts';
import { endpointObstacle, serviceOf } from './push-service.ts';
import type { PushRow, PushSubscriptionStore } from './push-subscription-store.ts';

/** A person has a few devices; each message is encrypted once for each of them. */
const MAX_BROWSERS = 20;
const ID_DIGITS = 20;

/** One that a message can be sent to. */
export interface Browser {
  row: PushRow;
  person: Addressee;
}

export interface SubscriptionOptions {
  log: EventLog;
  clock: Clock;
  store: PushSubscriptionStore;
  addressees: Addressees;
  /** Hosts that an endpoint may have. */
  services: readonly string[];
}

export class PushSubscriptions {
  readonly #options: SubscriptionOptions;

  constructor(options: SubscriptionOptions) {
    this.#options = options;
  }

  /** The caller's own, oldest first. */
  list(identity: Identity): SubscribedBrowser[] {
    return this.#own(identity).map(({ row }) => viewOf(row));
  }

  /** Replaces the same browser, also one of another person. Throws `invalid_body`, `too_many_browsers`. */
  add(identity: Identity, { endpoint, keys, label }: SubscribeBrowser): SubscribedBrowser {
    const { log, clock, store, addressees, services } = this.#options;
    const obstacle = endpointObstacle(endpoint, services);
    if (obstacle !== null) throw invalid('endpoint', obstacle);
    if (!isPoint(keys.p256dh)) throw invalid('keys.p256dh', 'must be a point on the curve P-256');
    const person = addressees.of(identity);
    // Removed in the meantime, or a link that was not used yet.
    if (person?.mark == null) throw new AppError('unauthorized', 'your access has ended');
    const id = idOf(endpoint);
    const others = this.#own(identity).filter(({ row }) => row.id !== id);
    if (others.length >= MAX_BROWSERS) {
      const message = `at most ${MAX_BROWSERS} browsers per person; remove one first`;
      throw new AppError('too_many_browsers', message);
    }
    const row: PushRow = {
      id,
      person: person.id,
      mark: person.mark,
      endpoint,
      ...keys,
      label,
      createdAt: toIso(clock.now()),
      lastSentAt: null,
      lastError: null,
    };
    log.write(() => store.put(row));
    return viewOf(row);
  }

  /** Throws `browser_unknown`, also for a browser of someone else. */
  own(identity: Identity, id: string): Browser {
    const found = this.#own(identity).find(({ row }) => row.id === id);
    if (found !== undefined) return found;
    throw new AppError('browser_unknown', 'you have no browser with that id');
  }

  /** Throws as `own` does. */
  remove(identity: Identity, id: string): void {
    this.own(identity, id);
    this.drop([id]);
  }

  drop(ids: readonly string[]): void {
    const { log, store } = this.#options;
    if (ids.length > 0) log.write(() => store.delete(ids));
  }

  /** Of everyone addressed, oldest first. Removes those whose person or token is gone. */
  addressed(to: string): Browser[] {
    const { store, addressees } = this.#options;
    const rows = store.list();
    const all = addressees.all();
    const found = rows.flatMap((row) => browserOf(row, all) ?? []);
    const valid = new Set(found.map(({ row }) => row.id));
    this.drop(rows.map(({ id }) => id).filter((id) => !valid.has(id)));
    return found.filter(({ person }) => isAddressed(to, person));
  }

  /** Null when it was removed, or its person or token is gone. */
  get(id: string): Browser | null {
    const row = this.#options.store.get(id);
    return row && browserOf(row, this.#options.addressees.all());
  }

  /** After a message; `error` is null when the push service took it. */
  record(id: string, error: string | null): void {
    const { log, store, clock } = this.#options;
    const sent = error === null ? { lastSentAt: toIso(clock.now()) } : {};
    log.write(() => store.patch(id, { lastError: error, ...sent }));
  }

  #own(identity: Identity): Browser[] {
    const { store, addressees } = this.#options;
    const all = addressees.all();
    const mine = addressees.of(identity)?.id;
    const browsers = store.list().flatMap((row) => browserOf(row, all) ?? []);
    return browsers.filter(({ person }) => person.id === mine);
  }
}

function browserOf(row: PushRow, all: ReadonlyMap<string, Addressee>): Browser | null {
  const person = all.get(row.person);
  return person === undefined || person.mark !== row.mark ? null : { row, person };
}

function viewOf({ id, label, endpoint, createdAt, lastSentAt, lastError }: PushRow) {
  return {
    id,
    label,
    service: serviceOf(endpoint),
    created_at: createdAt,
    last_sent_at: lastSentAt,
    last_error: lastError,
  };
}

function idOf(endpoint: string): string {
  return createHash('sha256').update(endpoint).digest('hex').slice(0, ID_DIGITS);
}

function isPoint(key: string): boolean {
  try {
    ECDH.convertKey(key, 'prime256v1', 'base64url');
    return true;
  } catch {
    return false;
  }
}

function invalid(field: string, message: string): AppError {
  return new AppError('invalid_body', `${field}: ${message}`, { issues: [{ field, message }] });
}
