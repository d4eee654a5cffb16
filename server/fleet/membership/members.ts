/** Who belongs to the fleet; only the home that made it can change that. */
import { quoted } from '../../../shared/rules/text/quoted.ts';
import { randomId } from '../../lib/random-id.ts';
import { readHostIdentity, saveHostIdentity } from '../host-identity.ts';
import { createUserKey } from '../nats/user-key.ts';
import { requireFleet, saveFleet } from './fleet-record.ts';
import { type Invitation, joinLink, readJoinLink } from './join-link.ts';
import { MembershipError } from './membership-error.ts';
import { type Reload, reloadServer } from './reload-server.ts';

/**
 * Adds a host and gives its link, which is stored nowhere. Throws a MembershipError (refused) for a
 * name that is taken: names are in addresses of the page.
 */
export function inviteHost(home: string, name: string): { link: string; reload: Reload } {
  const fleet = requireFleet(home);
  if (fleet.members.some((member) => member.name === name)) {
    const again = `loopwatch fleet remove ${name}`;
    throw new MembershipError(
      'refused',
      `${name} is already a host of this fleet; choose another name, or first: ${again}`,
    );
  }
  const key = createUserKey();
  const id = randomId();
  const member = { id, name, public_key: key.publicKey };
  saveFleet(home, { ...fleet, members: [...fleet.members, member] });
  const ca = readHostIdentity(home)?.ca ?? null;
  return {
    link: joinLink({ url: fleet.url, ca, id, name, seed: key.seed }),
    reload: reloadServer(home),
  };
}

/** Cuts a host off, and gives the id it had. Throws a MembershipError. */
export function removeHost(home: string, name: string): { id: string; reload: Reload } {
  const fleet = requireFleet(home);
  const gone = fleet.members.find((member) => member.name === name);
  if (gone === undefined) {
    const names = fleet.members.map((member) => member.name).join(', ');
    throw new MembershipError('missing', `no host named ${quoted(name)}; hosts: ${names}`);
  }
  if (gone.id === readHostIdentity(home)?.id) {
    throw new MembershipError('refused', `${name} is this host, where the fleet was made`);
  }
  saveFleet(home, { ...fleet, members: fleet.members.filter((member) => member !== gone) });
  return { id: gone.id, reload: reloadServer(home) };
}

/**
 * Makes this home a host of the fleet that the link is of. A host of another one stays there unless
 * `replace`. Throws a MembershipError.
 */
export function joinFleet(home: string, link: string, replace: boolean): Invitation {
  const { url, ...identity } = readJoinLink(link);
  const own = readHostIdentity(home);
  if (own !== null && own.id !== identity.id && !replace) {
    throw new MembershipError(
      'refused',
      `this home is already the host ${own.name} of a fleet; to leave that one, add --replace`,
    );
  }
  saveHostIdentity(home, identity);
  return { url, ...identity };
}
