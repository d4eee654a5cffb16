/** What the hosts of a fleet share of a person. Links stay on the host that made them. */
import { z } from 'zod';
import { PersonName } from '../../shared/schema/people/person-name.ts';
import { Role } from '../../shared/schema/people/role.ts';

export const SharedPerson = z.object({
  name: PersonName,
  role: Role,
  tokenHash: z
    .string()
    .regex(/^[0-9a-f]{64}$/)
    .nullable(),
  createdAt: z.iso.datetime(),
  joinedAt: z.iso.datetime().nullable(),
});
export type SharedPerson = z.infer<typeof SharedPerson>;

/** A person as this host knows them. */
export interface KnownPerson {
  id: string;
  isRemoved: boolean;
  person: SharedPerson;
  /** What host and fleet last agreed on; null: the fleet does not know them yet. */
  agreed: SharedPerson | null;
}
