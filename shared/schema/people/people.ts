/** Named people: roles, invitations, and the caller's own identity. */
import { z } from 'zod';
import { PersonName } from './person-name.ts';
import { Role } from './role.ts';

/** The name of the holder of the home's token. No one else can use it. */
export const HOME_NAME = 'admin';

/** Whose token this is; `id` is null for the token of the home. */
export const Me = z.object({ id: z.string().nullable(), name: z.string(), role: Role });
export type Me = z.infer<typeof Me>;

export const Person = z.object({
  id: z.string(),
  name: z.string(),
  role: Role,
  created_at: z.iso.datetime(),
  /** When the first link was used; null until then. */
  joined_at: z.iso.datetime().nullable(),
  /** To the minute. */
  last_seen_at: z.iso.datetime().nullable(),
  /** Of a link that is unused and still valid. */
  link_expires_at: z.iso.datetime().nullable(),
  /** False: this person needs a new link to log in. */
  has_token: z.boolean(),
});
export type Person = z.infer<typeof Person>;

export const InvitePerson = z.strictObject({ name: PersonName, role: Role });

export const ChangePerson = z
  .strictObject({ name: PersonName.optional(), role: Role.optional() })
  .refine(({ name, role }) => name !== undefined || role !== undefined, {
    message: 'pass at least one of name and role',
  });

/** A single-use link that logs one browser in. Shown only here. */
export const PersonLink = z.object({ person: Person, link: z.url(), expires_at: z.iso.datetime() });
export type PersonLink = z.infer<typeof PersonLink>;
