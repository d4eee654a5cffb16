/** Who somebody is, for as long as that is true. */
import { setMaxListeners } from 'node:events';
import { HOME_NAME } from '../../shared/people.ts';
import type { Role } from '../../shared/role.ts';

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
  ...{ id: null, name: HOME_NAME, role: 'admin' },
  held: newHold().signal,
};

/** Takes an identity; gives how it ended, null while it holds. */
export function endOf({ held }: Identity): IdentityEnd | null {
  return held.aborted ? (held.reason as IdentityEnd) : null;
}

/** Calls `act` once when the identity ends, at once if it has; gives the way out. */
export function whenEnded(identity: Identity, act: (how: IdentityEnd) => void): () => void {
  const { held } = identity;
  const tell = () => act(held.reason as IdentityEnd);
  if (held.aborted) tell();
  else held.addEventListener('abort', tell, { once: true });
  return () => held.removeEventListener('abort', tell);
}
