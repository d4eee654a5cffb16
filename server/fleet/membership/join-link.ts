/** What a new host needs to join, as one line that is pasted there. It holds a secret. */
import type { z } from 'zod';
import { NatsAddresses } from '../../lib/config/setting-types.ts';
import { HostIdentity } from '../host-identity.ts';
import { MembershipError } from './membership-error.ts';

const PREFIX = 'loopwatch-fleet:';

const Invitation = HostIdentity.extend({ url: NatsAddresses });
export type Invitation = z.infer<typeof Invitation>;

export function joinLink(invitation: Invitation): string {
  return PREFIX + Buffer.from(JSON.stringify(invitation)).toString('base64url');
}

/** Throws a MembershipError (invalid). */
export function readJoinLink(text: string): Invitation {
  const link = text.trim();
  const parsed = Invitation.safeParse(link.startsWith(PREFIX) ? decoded(link) : null);
  if (parsed.success) return parsed.data;
  throw new MembershipError(
    'invalid',
    `this is not a complete join link; copy the whole line that begins with ${PREFIX}, or get a new one with: loopwatch fleet invite NAME`,
  );
}

function decoded(link: string): unknown {
  try {
    const text = link.slice(PREFIX.length);
    // The decoder leaves out what it does not know.
    if (!/^[\w-]+$/.test(text)) return null;
    return JSON.parse(Buffer.from(text, 'base64url').toString('utf8'));
  } catch {
    return null;
  }
}
