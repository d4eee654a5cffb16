/**
 * Who may do what: the admin token, one-time login codes, single-use tickets for a WebSocket. Keeps
 * hashes only, compares them in constant time. A correct token is never rate limited.
 */
import { createHash, timingSafeEqual } from 'node:crypto';
import type { Role } from '../../shared/requests.ts';
import { AppError } from '../lib/app-error.ts';
import type { Clock } from '../lib/clock.ts';
import { randomSecret } from '../lib/random-id.ts';

const LOGIN_CODE_MS = 10 * 60_000;
const TICKET_MS = 30_000;
/** Wrong secrets one address may present in a minute; a guess among 2^256 stays hopeless anyway. */
const MAX_FAILURES_PER_MINUTE = 60;
const MINUTE_MS = 60_000;
const MAX_OUTSTANDING = 1_000;

const RANK: Record<Role, number> = { viewer: 0, operator: 1, admin: 2 };

export interface Issued {
  secret: string;
  expiresAtMs: number;
}

export class Access {
  readonly #token: string;
  readonly #tokenHash: Buffer;
  readonly #clock: Clock;
  readonly #loginCodes = new Map<string, number>();
  readonly #tickets = new Map<string, { role: Role; expiresAtMs: number }>();
  readonly #failures = new Map<string, { count: number; sinceMs: number }>();

  constructor(options: { token: string; clock: Clock }) {
    this.#token = options.token;
    this.#tokenHash = hash(options.token);
    this.#clock = options.clock;
  }

  /** Takes an Authorization header and the caller's address; gives the role or throws. */
  authenticate(authorization: string | null, source: string): Role {
    const presented = /^Bearer ([\x21-\x7e]{1,512})$/i.exec(authorization ?? '')?.[1];
    if (presented === undefined) throw unauthorized();
    if (timingSafeEqual(hash(presented), this.#tokenHash)) return 'admin';
    throw this.#failed(source, unauthorized());
  }

  /** Makes a code for a login link; it works once, for ten minutes. */
  createLoginCode(): Issued {
    return issue(this.#loginCodes, this.#clock.now(), LOGIN_CODE_MS, (expiresAtMs) => expiresAtMs);
  }

  /** Takes a login code; gives the token it stands for. Throws `invalid_login_code`. */
  login(code: string, source: string): { token: string; role: Role } {
    const key = hash(code).toString('hex');
    const expiresAtMs = this.#loginCodes.get(key);
    this.#loginCodes.delete(key);
    if (expiresAtMs === undefined || expiresAtMs < this.#clock.now()) {
      const message =
        'this login link was used or has expired; get a new one with: loopwatch login';
      throw this.#failed(source, new AppError('invalid_login_code', message));
    }
    return { token: this.#token, role: 'admin' };
  }

  /** Makes a ticket that opens one WebSocket within 30 seconds. */
  createTicket(role: Role): Issued {
    return issue(this.#tickets, this.#clock.now(), TICKET_MS, (expiresAtMs) => ({
      role,
      expiresAtMs,
    }));
  }

  /** Takes a ticket; gives its role. Throws `unauthorized`. */
  checkTicket(ticket: string, source: string): Role {
    const found = this.#tickets.get(hash(ticket).toString('hex'));
    if (found === undefined || found.expiresAtMs < this.#clock.now()) {
      throw this.#failed(source, unauthorized());
    }
    return found.role;
  }

  /** Uses a ticket up. */
  spendTicket(ticket: string): void {
    this.#tickets.delete(hash(ticket).toString('hex'));
  }

  #failed(source: string, error: AppError): AppError {
    const now = this.#clock.monotonic();
    const known = this.#failures.get(source);
    const current = known !== undefined && now - known.sinceMs < MINUTE_MS ? known : null;
    const count = (current?.count ?? 0) + 1;
    trim(this.#failures);
    this.#failures.set(source, { count, sinceMs: current?.sinceMs ?? now });
    if (count <= MAX_FAILURES_PER_MINUTE) return error;
    return new AppError('too_many_attempts', 'too many wrong secrets; wait a minute');
  }
}

/** Takes a role and the one a route asks for; tells whether it reaches that far. */
export function mayAct(role: Role, needed: Role): boolean {
  return RANK[role] >= RANK[needed];
}

function unauthorized(): AppError {
  return new AppError('unauthorized', 'a valid token is needed: Authorization: Bearer <token>');
}

function hash(secret: string): Buffer {
  return createHash('sha256').update(secret).digest();
}

function issue<Value>(
  map: Map<string, Value>,
  nowMs: number,
  lifeMs: number,
  value: (expiresAtMs: number) => Value,
): Issued {
  const secret = randomSecret();
  const expiresAtMs = nowMs + lifeMs;
  trim(map);
  map.set(hash(secret).toString('hex'), value(expiresAtMs));
  return { secret, expiresAtMs };
}

/** Maps keep the order of insertion: the first key is the oldest. */
function trim(map: Map<string, unknown>): void {
  if (map.size < MAX_OUTSTANDING) return;
  const oldest = map.keys().next().value;
  if (oldest !== undefined) map.delete(oldest);
}
