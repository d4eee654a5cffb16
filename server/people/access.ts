/**
 * Who may do what: the token of the home, the tokens of people, one-time login codes, single-use
 * tickets for a WebSocket. A correct token is never rate limited.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Role } from '../../shared/schema/people/role.ts';
import { AppError } from '../lib/app-error.ts';
import { writeFileAtomic } from '../lib/files/atomic-file.ts';
import type { Clock } from '../lib/clock.ts';
import { randomSecret } from '../lib/random-id.ts';
import { endOf, HOME_IDENTITY, type Identity } from './identity.ts';
import {
  hashSecret,
  type Issued,
  type Moment,
  OneTimeSecrets,
  sameHash,
} from './one-time-secrets.ts';
import type { People } from './people.ts';

const LOGIN_CODE_MS = 10 * 60_000;
const TICKET_MS = 30_000;
/** Wrong secrets one address may present in a minute; a guess among 2^256 stays hopeless anyway. */
const MAX_FAILURES_PER_MINUTE = 60;
const MINUTE_MS = 60_000;
const MAX_SOURCES = 1_000;

export interface Login {
  token: string;
  name: string;
  role: Role;
}

const TOKEN_FILE = 'token';
/** A shorter one was cut off; any other character cannot be sent in a header. */
const USABLE_TOKEN = /^[\x21-\x7e]{16,512}$/;

export class Access {
  readonly #token: string;
  readonly #tokenHash: string;
  readonly #people: People;
  readonly #clock: Clock;
  /** A code gives the token it was created with: it is never worth more than its creator. */
  readonly #loginCodes = new OneTimeSecrets<string>(LOGIN_CODE_MS);
  readonly #tickets = new OneTimeSecrets<Identity>(TICKET_MS);
  readonly #failures = new Map<string, { count: number; sinceMs: number }>();

  constructor(options: { token: string; people: People; clock: Clock }) {
    this.#token = options.token;
    this.#tokenHash = hashSecret(options.token);
    this.#people = options.people;
    this.#clock = options.clock;
  }

  /** Throws when the header authenticates no one. */
  authenticate(authorization: string | null, source: string): Identity {
    const identity = this.recognize(authorization);
    if (identity !== null) return identity;
    const isGuess = tokenIn(authorization) !== null;
    throw isGuess ? this.#failed(source, unauthorized()) : unauthorized();
  }

  /** The same, and null when it authenticates no one here: another host may know them. */
  recognize(authorization: string | null): Identity | null {
    const presented = tokenIn(authorization);
    const identity = presented === null ? null : this.#identify(presented);
    if (identity !== null) this.#people.seen(identity);
    return identity;
  }

  /** For a login link with the token of the home; once, for ten minutes. */
  createHomeCode(): Issued {
    return this.#loginCodes.issue(this.#token, ownerOf(HOME_IDENTITY), this.#moment());
  }

  /** The same for the person this Authorization header authenticated. */
  createLoginCode(authorization: string | null, identity: Identity): Issued {
    const token = tokenIn(authorization) ?? '';
    return this.#loginCodes.issue(token, ownerOf(identity), this.#moment());
  }

  /** Exchanges the code of a link for its token. Throws `invalid_login_code`. */
  login(code: string, source: string): Login {
    const token = this.#loginCodes.take(code, this.#moment());
    // The creator of the code may have been removed since.
    const known = token === undefined ? null : this.#identify(token);
    if (token !== undefined && known !== null) return loginOf(token, known);
    const joined = this.#people.redeem(hashSecret(code));
    if (joined !== null) return loginOf(joined.token, joined.identity);
    const message =
      'this login link was already used or has expired; get a new one with: loopwatch login';
    throw this.#failed(source, new AppError('invalid_login_code', message));
  }

  /** Opens one WebSocket within 30 seconds. */
  createTicket(identity: Identity): Issued {
    return this.#tickets.issue(identity, ownerOf(identity), this.#moment());
  }

  /** Throws `unauthorized`. */
  checkTicket(ticket: string, source: string): Identity {
    const identity = this.#tickets.peek(ticket, this.#moment());
    if (identity === undefined || endOf(identity) !== null) {
      throw this.#failed(source, unauthorized());
    }
    return identity;
  }

  spendTicket(ticket: string): void {
    this.#tickets.take(ticket, this.#moment());
  }

  /** A sign of life on an open connection. */
  seen(identity: Identity): void {
    this.#people.seen(identity);
  }

  #identify(token: string): Identity | null {
    const presented = hashSecret(token);
    const person = this.#people.identify(presented);
    return sameHash(presented, this.#tokenHash) ? HOME_IDENTITY : person;
  }

  #moment(): Moment {
    return { wallMs: this.#clock.now(), monotonicMs: this.#clock.monotonic() };
  }

  #failed(source: string, error: AppError): AppError {
    const now = this.#clock.monotonic();
    const known = this.#failures.get(source);
    const current = known !== undefined && now - known.sinceMs < MINUTE_MS ? known : null;
    const count = (current?.count ?? 0) + 1;
    const oldest = this.#failures.keys().next().value;
    if (this.#failures.size >= MAX_SOURCES && oldest !== undefined) this.#failures.delete(oldest);
    this.#failures.set(source, { count, sinceMs: current?.sinceMs ?? now });
    if (count <= MAX_FAILURES_PER_MINUTE) return error;
    return new AppError('too_many_attempts', 'too many failed login attempts; wait a minute');
  }
}

/** The answer without a valid token. */
export function unauthorized(): AppError {
  return new AppError('unauthorized', 'a valid token is required: Authorization: Bearer <token>');
}

/** The token of the home's admin, created at the first start and when it cannot be used. */
export function keepAdminToken(home: string): string {
  try {
    const kept = readFileSync(join(home, TOKEN_FILE), 'utf8').trim();
    if (USABLE_TOKEN.test(kept)) return kept;
  } catch {
    // The first start on this home.
  }
  const token = randomSecret();
  writeFileAtomic(home, TOKEN_FILE, `${token}\n`);
  return token;
}

function tokenIn(authorization: string | null): string | null {
  return /^Bearer ([\x21-\x7e]{1,512})$/i.exec(authorization ?? '')?.[1] ?? null;
}

/** Owner for counting one-time secrets; the token of the home has no id. */
function ownerOf({ id }: Identity): string {
  return id ?? 'home';
}

function loginOf(token: string, { name, role }: Identity): Login {
  return { token, name, role };
}
