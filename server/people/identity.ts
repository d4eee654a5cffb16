/** Who a caller is, for as long as that is true. */
import { setMaxListeners } from 'node:events';
import { HOME_NAME } from '../../shared/schema/people/people.ts';
import type { Role } from '../../shared/schema/people/role.ts';

/** `ended`: the token is no longer valid. `changed`: it is, with another role or name. */
export type IdentityEnd = 'ended' | 'changed';

export interface Identity {
  /** Null: the token of the home. */
  readonly id: string | null;
  readonly name: string;
  readonly role: Role;
  /** Aborts when this is no longer true; what was opened under it must end then. */
  readonly held: AbortSignal;
}

/** Ends an identity. Any number of sockets may depend on one: that is no leak. */
export function newHold(): AbortController {
  const hold = new AbortController();
  setMaxListeners(0, hold.signal);
  return hold;
}

/** Anyone with the token of the home. It cannot be revoked, so there is always an admin. */
export const HOME_IDENTITY: Identity = {
  id: null,
  name: HOME_NAME,
  role: 'admin',
  held: newHold().signal,
};

/** Null while the identity holds. */
export function endOf({ held }: Identity): IdentityEnd | null {
  return held.aborted ? (held.reason as IdentityEnd) : null;
}

/** What depends on an identity and ends with it. */
export interface Bearer {
  identityEnded(how: IdentityEnd): void;
}

/** One listener serves all bearers of an identity: there may be thousands, and they come and go. */
const bearers = new WeakMap<AbortSignal, Set<Bearer>>();

/** Notifies `bearer` once when the identity ends, at once if it has ended. */
export function addBearer({ held }: Identity, bearer: Bearer): void {
  if (held.aborted) {
    bearer.identityEnded(held.reason as IdentityEnd);
    return;
  }
  const found = bearers.get(held);
  if (found !== undefined) {
    found.add(bearer);
    return;
  }
  const all = new Set([bearer]);
  bearers.set(held, all);
  const notify = () => {
    for (const each of all) each.identityEnded(held.reason as IdentityEnd);
  };
  held.addEventListener('abort', notify, { once: true });
}

/** The end of the identity no longer concerns this bearer. */
export function removeBearer({ held }: Identity, bearer: Bearer): void {
  bearers.get(held)?.delete(bearer);
}
