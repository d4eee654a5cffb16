/**
 * What host and fleet do about one person, from what each knows. Pure. A removal always wins. A field
 * that was changed on this host only is kept and goes to the fleet; else the fleet decides, so that a
 * host that was away cannot undo what was decided meanwhile.
 */
import { z } from 'zod';
import { isReservedName } from '../../shared/schema/people/person-name.ts';
import { type KnownPerson, SharedPerson } from '../people/shared-person.ts';

export const FleetPerson = z.discriminatedUnion('removed', [
  z.object({ removed: z.literal(true) }),
  z.object({
    removed: z.literal(false),
    person: SharedPerson.refine(({ name }) => !isReservedName(name), 'the name is reserved'),
  }),
]);
export type FleetPerson = z.infer<typeof FleetPerson>;

interface Settlement {
  /** What this host must make of the person. Null: nothing. */
  become: SharedPerson | 'removed' | null;
  /** What the fleet must get. Null: nothing. */
  save: FleetPerson | null;
}

const NOTHING: Settlement = { become: null, save: null };

/** Null: not known there. */
export function reconcilePerson(
  local: Omit<KnownPerson, 'id'> | null,
  fleet: FleetPerson | null,
): Settlement {
  if (fleet === null) {
    if (local === null) return NOTHING;
    if (!local.isRemoved) return { become: null, save: { removed: false, person: local.person } };
    // The fleet never knew them, or lost what it knew.
    return local.agreed === null ? NOTHING : { become: null, save: { removed: true } };
  }
  if (fleet.removed) {
    return local === null || local.isRemoved ? NOTHING : { become: 'removed', save: null };
  }
  if (local?.isRemoved === true) return { become: null, save: { removed: true } };
  const merged = local === null ? fleet.person : merge(local, fleet.person);
  return {
    become: local !== null && isSamePerson(local.person, merged) ? null : merged,
    save: isSamePerson(fleet.person, merged) ? null : { removed: false, person: merged },
  };
}

export function isSamePerson(one: SharedPerson | null, other: SharedPerson | null): boolean {
  if (one === null || other === null) return one === other;
  return (
    one.name === other.name &&
    one.role === other.role &&
    one.tokenHash === other.tokenHash &&
    one.createdAt === other.createdAt &&
    one.joinedAt === other.joinedAt
  );
}

function merge(local: Omit<KnownPerson, 'id'>, fleet: SharedPerson): SharedPerson {
  const { person, agreed } = local;
  if (agreed === null) return fleet;
  const isOurs = (field: keyof SharedPerson) =>
    person[field] !== agreed[field] && fleet[field] === agreed[field];
  const token = isOurs('tokenHash') ? person : fleet;
  return {
    name: (isOurs('name') ? person : fleet).name,
    role: (isOurs('role') ? person : fleet).role,
    tokenHash: token.tokenHash,
    joinedAt: token.joinedAt,
    createdAt: fleet.createdAt,
  };
}
