/** Who somebody is, for as long as that is true. */
import { setMaxListeners } from 'node:events';
import { HOME_NAME } from '../../shared/schema/people/people.ts';
import type { Role } from '../../shared/schema/people/role.ts';

/** `ended`: the token is valid no more. `changed`: it is, and stands for another role or name. */
export type IdentityEnd = 'ended' | 'changed';

export interface Identity {
  /** Null: the token of the home. */
  readonly id: string | null;
  readonly name: string;
  readonly role: Role;
  /** Aborts when this is true no more; what was opened under it must end then. */
  readonly held: AbortSignal;
}

/** Makes what ends an identity. Any number of sockets may hang on one: that is no leak. */
export function newHold(): AbortController {
  const hold = new AbortController();
  setMaxListeners(0, hold.signal);
  return hold;
}

/** Whoever has the token of the home. It cannot be taken away, so somebody is always admin. */
export const HOME_IDENTITY: Identity = {
  id: null,
  name: HOME_NAME,
  role: 'admin',
  held: newHold().signal,
};

/** Takes an identity; gives how it ended, null while it holds. */
export function endOf({ held }: Identity): IdentityEnd | null {
  return held.aborted ? (held.reason as IdentityEnd) : null;
}

/** What hangs on an identity and ends with it. */
export interface Bearer {
  identityEnded(how: IdentityEnd): void;
}

/** One listener serves all bearers of an identity: there may be thousands, and they come and go. */
const bearers = new WeakMap<AbortSignal, Set<Bearer>>();

/** Tells `bearer` once when the identity ends, at once if it has. */
export function bear({ held }: Identity, bearer: Bearer): void {
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

/** The end of the identity does not concern this one any more. */
export function layDown({ held }: Identity, bearer: Bearer): void {
  bearers.get(held)?.delete(bearer);
}
